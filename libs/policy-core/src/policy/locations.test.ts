import { describe, expect, it } from "@jest/globals";
import { compileKbac } from "./compile.ts";
import { isRouted, resolveRoute, type Composite } from "./locations.ts";

const compile = (cypher: string, filter?: unknown) =>
  compileKbac(
    JSON.stringify({
      meta: { policy_version: "3.0-kbac" },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher, ...(filter === undefined ? {} : { filter }) },
    }),
  );

const targets = (cypher: string) => {
  const checked = compile(cypher);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value.targets;
};

const faults = (cypher: string, filter?: unknown): string => {
  const checked = compile(cypher, filter);
  if (checked.ok) throw new Error("accepted");
  return checked.faults.join("\n");
};

const ends = "MATCH (subject)-[:ON]->(resource)";
const hospital: Composite = {
  database: "hospital",
  constituents: new Map([
    ["north", "db1"],
    ["south", "db2"],
    ["northern", "db1"],
  ]),
};

describe("locations when a policy is saved", () => {
  it.each([
    [
      `USE graph.byName($subject_type) ${ends}`,
      'parameter "$subject_type" is reserved and cannot be a location',
    ],
    [`USE graph.byName($token) ${ends}`, 'parameter "$token" is reserved and cannot be a location'],
    [`USE graph.byName($_x) ${ends}`, 'parameter "$_x" is reserved and cannot be a location'],
    [`USE graph.byName('hospital') ${ends}`, "a location is written '<composite>.<constituent>'"],
    [
      `USE graph.byName($loc) ${ends} WHERE resource.property.region = $loc`,
      'location parameter "$loc" may be used in USE clauses only',
    ],
    [
      `MATCH (subject) CALL (subject) { USE graph.byName($loc) MATCH (subject)-->(resource) RETURN resource }`,
      '"subject" comes from another location; compare external_id instead',
    ],
  ])("refuses %s", (cypher, reason) => {
    expect(faults(cypher)).toContain(reason);
  });

  it("refuses a location parameter that the filter reads", () => {
    const filter = { operator: "=", attribute: "$loc", value: "north" };
    expect(faults(`USE graph.byName($loc) ${ends}`, filter)).toContain("may be used in USE clauses only");
  });

  it("takes the same parameter in several USE clauses, and does not call it an input that is needed", () => {
    const call = (name: string) => `CALL () { USE graph.byName($loc) MATCH (${name}) RETURN ${name} }`;
    const checked = compile(`${call("subject")} ${call("resource")}`);
    expect(checked.ok && checked.value.needs.parameters).toEqual([]);
    expect(checked.ok && checked.value.targets).toEqual([{ kind: "parameter", name: "loc" }]);
  });
});

describe("where a request goes", () => {
  const dynamic = () => targets(`USE graph.byName($loc) ${ends}`);
  const fixed = () => targets(`USE graph.byName('hospital.db2') ${ends}`);

  it("is nowhere in particular without USE, with or without a composite database", () => {
    expect(isRouted(targets(ends))).toBe(false);
    expect(resolveRoute(targets(ends), {}, undefined)).toMatchObject({ ok: true });
    expect(resolveRoute(targets(ends), {}, hospital)).toMatchObject({
      ok: true,
      route: { constituent: undefined },
    });
  });

  it("is the constituent of the logical location", () => {
    expect(resolveRoute(dynamic(), { loc: "south" }, hospital)).toEqual({
      ok: true,
      route: { constituent: "db2", graphs: { loc: "hospital.db2" } },
    });
    expect(resolveRoute(fixed(), {}, hospital)).toMatchObject({ ok: true, route: { constituent: "db2" } });
  });

  it("is one constituent where all locations mean the same one", () => {
    const call = (name: string, loc: string) =>
      `CALL () { USE graph.byName($${loc}) MATCH (${name}) RETURN ${name} }`;
    const two = targets(`${call("subject", "a")} ${call("resource", "b")}`);
    expect(resolveRoute(two, { a: "north", b: "northern" }, hospital)).toMatchObject({
      route: { constituent: "db1" },
    });
    expect(resolveRoute(two, { a: "north", b: "south" }, hospital)).toEqual({
      ok: true,
      route: { constituent: undefined, graphs: { a: "hospital.db1", b: "hospital.db2" } },
    });
  });

  it("is not one constituent where a part runs outside every USE", () => {
    const mixed = targets(
      `MATCH (subject) CALL () { USE graph.byName($loc) MATCH (resource) RETURN resource }`,
    );
    expect(resolveRoute(mixed, { loc: "north" }, hospital)).toMatchObject({
      route: { constituent: undefined },
    });
  });

  it.each([
    [{}, 'location parameter "$loc" must be a non-empty string'],
    [{ loc: "" }, 'location parameter "$loc" must be a non-empty string'],
    [{ loc: 5 }, 'location parameter "$loc" must be a non-empty string'],
    [{ loc: "mars" }, 'unknown location "mars" for parameter "$loc"'],
    [{ loc: "North" }, 'unknown location "North" for parameter "$loc"'],
    [{ loc: "db1" }, 'unknown location "db1" for parameter "$loc"'],
    [{ loc: "__proto__" }, 'unknown location "__proto__" for parameter "$loc"'],
  ])("is refused for %j", (inputParams, fault) => {
    expect(resolveRoute(dynamic(), inputParams, hospital)).toEqual({ ok: false, faults: [fault] });
  });

  it.each(["hospital.db9", "clinic.db1"])("is refused for the fixed name %s", (name) => {
    const there = targets(`USE graph.byName('${name}') ${ends}`);
    expect(resolveRoute(there, {}, hospital)).toEqual({
      ok: false,
      faults: ["the policy names an unknown location"],
    });
  });

  it("is refused for a project without a composite database", () => {
    const fault = "policy requires a composite database, but the project has none configured";
    expect(resolveRoute(dynamic(), { loc: "north" }, undefined)).toEqual({ ok: false, faults: [fault] });
    expect(resolveRoute(fixed(), {}, undefined)).toEqual({ ok: false, faults: [fault] });
  });
});

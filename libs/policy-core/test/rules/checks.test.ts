import { describe, expect, it } from "@jest/globals";
import {
  bindValues,
  compileCiq,
  compileKbac,
  evaluateFilter,
  type Checked,
  type CiqPolicy,
  type Composite,
  type Inputs,
  type KbacPolicy,
  resolveRoute,
} from "../../src/index.ts";
import { compileQuery } from "../../src/query/index.ts";
import {
  decideStatement,
  readStatement,
  searchStatement,
  writeStatements,
} from "../../src/statements/index.ts";
import { projectKey } from "@ikg/physical";
import { accepted, constructs } from "./constructs.ts";
import { policyOf, type Version } from "./versions.ts";

const pk = projectKey("00000000");

const good = <T>(checked: Checked<T>): T => {
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

const kbac = (cypher: string, filter?: unknown, version: Version = "2.0-kbac"): KbacPolicy =>
  good(
    compileKbac(JSON.stringify(policyOf(version, { cypher, ...(filter === undefined ? {} : { filter }) }))),
  );

const ciq = (cypher: string, lists: object = {}, more: object = {}): CiqPolicy =>
  good(compileCiq(JSON.stringify(policyOf("1.0-ciq", { cypher }, { ...lists, ...more }))));

const faultsOf = (query: object, policy: CiqPolicy): readonly string[] => {
  const checked = compileQuery(JSON.stringify(query), policy);
  return checked.ok ? [] : checked.faults;
};

const both = "MATCH (subject), (resource)";
const films = "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)";

/** Every text that is printed for a policy. */
const textsOf = (policy: KbacPolicy): readonly string[] => [
  decideStatement([policy], pk, "row").text,
  decideStatement([policy], pk, "plain").text,
  searchStatement(policy, pk, "resource"),
  searchStatement(policy, pk, "subject"),
];

/** What a filter is for claims, and for no token at all. */
const truthOf = (filter: object, token: Inputs["token"]): boolean | null => {
  const policy = kbac(both, filter);
  if (policy.filter === undefined) throw new Error("the policy has a filter");
  return evaluateFilter(policy.filter.filter, bindValues(policy.needs, { inputParams: {}, token })).truth;
};

describe("the checks of policies and queries", () => {
  it("a 2.0 condition saved as 3.0 is the same statements and the same filter", () => {
    const taken = constructs.filter(({ outcomes }) => outcomes["2.0-kbac"] === accepted);
    expect(taken.length).toBeGreaterThan(30);
    for (const { cypher } of taken) {
      expect(textsOf(kbac(cypher, undefined, "3.0-kbac"))).toEqual(textsOf(kbac(cypher)));
    }
    const filter = { attribute: "$token.level", operator: ">", value: 1 };
    expect(kbac(both, filter, "3.0-kbac").filter).toEqual(kbac(both, filter).filter);
  });

  it("a missing claim fails =, <> and NOT =; no token fails IS NULL", () => {
    const leaf = (operator: string, value?: unknown): object => ({
      attribute: "$token.level",
      operator,
      ...(value === undefined ? {} : { value }),
    });
    for (const operator of ["=", "<>"]) expect(truthOf(leaf(operator, 1), {})).not.toBe(true);
    expect(truthOf({ operator: "NOT", operands: [leaf("=", 1)] }, {})).not.toBe(true);
    expect(truthOf(leaf("IS NULL"), {})).toBe(true);
    expect(truthOf(leaf("IS NULL"), undefined)).not.toBe(true);
    expect(truthOf({ operator: "NOT", operands: [leaf("IS NOT NULL")] }, undefined)).not.toBe(true);
  });

  it("$subject_external_id is an input parameter in CIQ, and of the platform in KBAC", () => {
    const where = "WHERE subject.external_id = $subject_external_id";
    const person = ciq(`${films} ${where}`);
    expect(person.needs.parameters).toEqual(["subject_external_id"]);
    const sent = { inputParams: { subject_external_id: "sent" } };
    expect(bindValues(person.needs, sent).parameters).toMatchObject({ subject_external_id: "sent" });

    const decision = kbac(`${both} ${where}`);
    expect(decision.needs.parameters).toEqual([]);
    const values = bindValues(decision.needs, { ...sent, platform: { subject_external_id: "asked" } });
    expect(values).toMatchObject({ parameters: {}, platform: { subject_external_id: "asked" } });
  });

  it("alias.* reads and never deletes the node; alias in allowed_deletes deletes no property", () => {
    const wildcard = ciq(films, {
      allowed_reads: { nodes: ["film.*"] },
      allowed_deletes: { nodes: ["film.*"] },
    });
    expect(faultsOf({ nodes: ["film", "film.property.title"] }, wildcard)).toEqual([]);
    expect(faultsOf({ delete_nodes: ["film.property.title"] }, wildcard)).toEqual([]);
    expect(faultsOf({ delete_nodes: ["film"] }, wildcard)).toEqual([
      "query.delete_nodes[0]: film is not in allowed_deletes.nodes",
    ]);
    const whole = ciq(films, { allowed_deletes: { nodes: ["film"] } });
    expect(faultsOf({ delete_nodes: ["film"] }, whole)).toEqual([]);
    expect(faultsOf({ delete_nodes: ["film.property.title"] }, whole)).toEqual([
      "query.delete_nodes[0]: film.property.title is not in allowed_deletes.nodes",
    ]);
  });

  it("a path that may not be read is refused, also when the policy was narrowed since", () => {
    const query = { nodes: ["film.property.title", "film.property.year"] };
    const reads = (...nodes: string[]): CiqPolicy => ciq(films, { allowed_reads: { nodes } });
    expect(faultsOf(query, reads("film.property.*"))).toEqual([]);
    expect(faultsOf(query, reads("film.property.title"))).toEqual([
      "query.nodes[1]: film.property.year is not in allowed_reads.nodes",
    ]);
  });

  it("the match of a writing query knows no page", () => {
    const policy = ciq(films, { allowed_upserts: { nodes: { existing_nodes: ["film"] } } });
    const query = { upsert_nodes: [{ name: "film", properties: [{ type: "seen", value: true }] }] };
    const statements = writeStatements(good(compileQuery(JSON.stringify(query), policy)), pk);
    expect(statements?.match.text).not.toMatch(/SKIP|\$__row\.(skip|take)/);
  });

  it("who the platform pins when the policy is silent", () => {
    expect(ciq(films).pin).toBe("token");
    expect(ciq(`${films} WHERE subject.external_id = $who`).pin).toBe("policy");
    const application = { subject: { type: "_Application" } };
    expect(ciq("MATCH (subject:_Application)", {}, application).pin).toBe("application");
    expect(ciq("MATCH (subject:_Application {external_id: $_appId})", {}, application).pin).toBe(
      "application",
    );
    const query = good(
      compileQuery(
        '{"nodes":["subject.external_id"]}',
        ciq(films, { allowed_reads: { nodes: ["subject"] } }),
      ),
    );
    expect(readStatement(query, pk).text).toMatch(/^MATCH \(subject:[^)]*`?_key`?: \$__row\.s/);
  });

  it("a resource that only an OPTIONAL MATCH binds is refused, and null ends never grant", () => {
    const checked = compileKbac(
      JSON.stringify(
        policyOf("2.0-kbac", { cypher: "MATCH (subject) OPTIONAL MATCH (subject)-->(resource)" }),
      ),
    );
    expect(checked).toMatchObject({
      ok: false,
      faults: [expect.stringContaining('"resource" must be bound by a MATCH, not by an OPTIONAL MATCH')],
    });
    const { text } = decideStatement([kbac(both)], pk, "row");
    expect(text).toContain("WHEN subject IS NULL OR resource IS NULL THEN -1");
  });
});

describe("locations", () => {
  const composite: Composite = {
    database: "hidden",
    constituents: new Map([
      ["north", "secret1"],
      ["south", "secret2"],
    ]),
  };
  const at = (): KbacPolicy => kbac(`USE graph.byName($at) ${both}`, undefined, "3.0-kbac");
  const route = (policy: KbacPolicy, inputParams: object, where: Composite | undefined = composite) =>
    resolveRoute(policy.targets, { ...inputParams }, where);

  it("static", () => {
    const fixed = kbac(`USE graph.byName('hidden.secret1') ${both}`, undefined, "3.0-kbac");
    expect(route(fixed, {})).toMatchObject({ ok: true, route: { constituent: "secret1" } });
  });

  it("dynamic", () => {
    expect(route(at(), { at: "south" })).toMatchObject({ ok: true, route: { constituent: "secret2" } });
  });

  it("unknown", () => {
    expect(route(at(), { at: "mars" })).toEqual({
      ok: false,
      faults: ['unknown location "mars" for parameter "$at"'],
    });
  });

  it("missing", () => {
    for (const inputParams of [{}, { at: "" }, { at: 7 }, { at: null }])
      expect(route(at(), inputParams)).toEqual({
        ok: false,
        faults: ['location parameter "$at" must be a non-empty string'],
      });
  });

  it("not composite", () => {
    expect(resolveRoute(at().targets, { at: "north" }, undefined)).toEqual({
      ok: false,
      faults: ["policy requires a composite database, but the project has none configured"],
    });
  });

  it("in a batch, each entry its own", () => {
    const batch = [{ at: "north" }, {}, { at: "south" }, { at: "mars" }].map((entry) => route(at(), entry));
    expect(batch.map((found) => (found.ok ? found.route.constituent : found.faults.length))).toEqual([
      "secret1",
      1,
      "secret2",
      1,
    ]);
  });

  it("physical names in no answer", () => {
    for (const inputParams of [
      {},
      { at: "mars" },
      { at: "secret1" },
      { at: "__proto__" },
      { at: "hidden.x" },
    ]) {
      const found = route(at(), inputParams);
      if (found.ok) throw new Error("no location");
      const message = found.faults.join(" ").replaceAll(JSON.stringify(inputParams.at), "");
      expect(message).not.toMatch(/hidden|secret/);
    }
  });
});

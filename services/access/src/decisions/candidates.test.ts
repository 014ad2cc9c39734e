import { describe, expect, it } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import { compileKbac, type Inputs } from "@ikg/policy-core";
import { selectTagged, prefilter as prefilterAt } from "./candidates.ts";

const stored = (
  name: string,
  condition: Record<string, unknown>,
  tags: readonly string[] = [],
  version: "2.0-kbac" | "3.0-kbac" = "2.0-kbac",
): StoredKbacPolicy => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: version },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher: "MATCH (subject), (resource)", ...condition },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return { id: name, name, version: 1, tags, text: "{}", policy: checked.value };
};

/** In a project with one database. */
const prefilter = (candidates: readonly StoredKbacPolicy[], given: Inputs) =>
  prefilterAt(candidates, given, undefined);

const names = (policies: readonly StoredKbacPolicy[]): string[] => policies.map(({ name }) => name);
const inputs = (changes: Partial<Inputs> = {}): Inputs => ({ inputParams: {}, ...changes });

const scope = {
  operator: "CONTAINS",
  attribute: "$token.scope",
  value: "sign",
  advice: { error: "narrow_scope" },
};

describe("prefilter", () => {
  it("keeps the candidates whose filter is true", () => {
    const candidates = [stored("open", {}), stored("scoped", { filter: scope })];
    expect(names(prefilter(candidates, inputs({ token: { scope: "sign" } })).participants)).toEqual([
      "open",
      "scoped",
    ]);
    const denied = prefilter(candidates, inputs({ token: { scope: "read" } }));
    expect(names(denied.participants)).toEqual(["open"]);
    expect(denied.advice).toEqual([{ error: "narrow_scope" }]);
    expect(denied.tokenMissing).toBe(false);
  });

  it("reports that a token was missing", () => {
    expect(prefilter([stored("scoped", { filter: scope })], inputs())).toMatchObject({
      participants: [],
      tokenMissing: true,
      advice: [{ error: "narrow_scope" }],
    });
  });

  it("names the locations that a project without a composite database cannot have", () => {
    const cypher = "USE graph.byName($loc) MATCH (subject), (resource)";
    const candidates = [stored("here", {}), stored("there", { cypher }, [], "3.0-kbac")];
    const located = prefilter(candidates, inputs({ inputParams: { loc: "north" } }));
    expect(names(located.participants)).toEqual(["here"]);
    expect(located.missing).toEqual([]);
    expect(located.locationFaults).toEqual([
      "policy requires a composite database, but the project has none configured",
    ]);
    expect(prefilter(candidates, inputs()).locationFaults).toEqual([
      'location parameter "$loc" must be a non-empty string',
    ]);
  });

  it("resolves the locations of candidates with a USE clause", () => {
    const connection = { url: "bolt://127.0.0.1:1", username: "a", password: "b" };
    const mapping = new Map([
      ["north", "db1"],
      ["south", "db2"],
    ]);
    const of = (connections: string[]) => ({
      database: "hospital",
      constituents: mapping,
      connections: new Map(connections.map((name) => [name, connection])),
    });
    const cypher = "USE graph.byName($loc) MATCH (subject), (resource)";
    const there = stored("there", { cypher }, [], "3.0-kbac");
    const south = inputs({ inputParams: { loc: "south" } });
    expect(prefilterAt([there], south, of(["db1", "db2"])).databaseTargets.get(there)).toEqual({
      databasePart: { constituent: "db2" },
      graphs: { loc: "hospital.db2" },
    });
    // The server has them all: the text goes to it whole.
    expect(prefilterAt([there], south, of([])).databaseTargets.get(there)?.databasePart).toBe("composite");
    expect(
      prefilterAt([there], inputs({ inputParams: { loc: "mars" } }), of(["db1"])).locationFaults,
    ).toEqual(['unknown location "mars" for parameter "$loc"']);
  });

  it("reports the missing parameters of a candidate, and not its failing filter", () => {
    const cypher = "MATCH (subject), (resource) WHERE resource.property.a < $max";
    const candidates = [stored("one", { cypher }), stored("two", { cypher, filter: scope })];
    const prefiltered = prefilter(candidates, inputs({ token: { scope: "" } }));
    expect(prefiltered).toMatchObject({ participants: [], missing: ["max"] });
    expect(names(prefilter(candidates, inputs({ inputParams: { max: 1 } })).participants)).toEqual(["one"]);
    expect(prefilter(candidates, inputs({ inputParams: { max: null } })).missing).toEqual(["max"]);
  });

  it("keeps the candidates with one of the tags, when tags are given", () => {
    const candidates = [stored("a", {}, ["x", "y"]), stored("b", {}, ["z"]), stored("c", {})];
    const having = (...tags: string[]): string[] =>
      names(
        selectTagged(candidates, {
          subject: { type: "Nurse", id: "n1" },
          resource: { type: "Chart" },
          action: { name: "SIGN" },
          context: { policy_tags: tags },
          token: undefined,
        }),
      );
    expect(having("y", "z")).toEqual(["a", "b"]);
    expect(having()).toEqual(["a", "b", "c"]);
    expect(having("none")).toEqual([]);
  });
});

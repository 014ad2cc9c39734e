import { describe, expect, it } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import { compileKbac, type Inputs } from "@ikg/policy-core";
import { tagged, prefilter as weighAt } from "./candidates.ts";

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
const weigh = (candidates: readonly StoredKbacPolicy[], given: Inputs) =>
  weighAt(candidates, given, undefined);

const names = (policies: readonly StoredKbacPolicy[]): string[] => policies.map(({ name }) => name);
const inputs = (changes: Partial<Inputs> = {}): Inputs => ({ inputParams: {}, ...changes });

const scope = {
  operator: "CONTAINS",
  attribute: "$token.scope",
  value: "sign",
  advice: { error: "narrow_scope" },
};

describe("what is left of the candidates before the graph", () => {
  it("is those whose filter is true", () => {
    const candidates = [stored("open", {}), stored("scoped", { filter: scope })];
    expect(names(weigh(candidates, inputs({ token: { scope: "sign" } })).participants)).toEqual([
      "open",
      "scoped",
    ]);
    const denied = weigh(candidates, inputs({ token: { scope: "read" } }));
    expect(names(denied.participants)).toEqual(["open"]);
    expect(denied.advice).toEqual([{ error: "narrow_scope" }]);
    expect(denied.tokenMissing).toBe(false);
  });

  it("says when a token was missing", () => {
    expect(weigh([stored("scoped", { filter: scope })], inputs())).toMatchObject({
      participants: [],
      tokenMissing: true,
      advice: [{ error: "narrow_scope" }],
    });
  });

  it("names the locations that a project without a composite database cannot have", () => {
    const cypher = "USE graph.byName($loc) MATCH (subject), (resource)";
    const candidates = [stored("here", {}), stored("there", { cypher }, [], "3.0-kbac")];
    const located = weigh(candidates, inputs({ inputParams: { loc: "north" } }));
    expect(names(located.participants)).toEqual(["here"]);
    expect(located.missing).toEqual([]);
    expect(located.locationFaults).toEqual([
      "policy requires a composite database, but the project has none configured",
    ]);
    expect(weigh(candidates, inputs()).locationFaults).toEqual([
      'location parameter "$loc" must be a non-empty string',
    ]);
  });

  it("says where those are asked that say so themselves", () => {
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
    const asked = inputs({ inputParams: { loc: "south" } });
    expect(weighAt([there], asked, of(["db1", "db2"])).places.get(there)).toEqual({
      part: { constituent: "db2" },
      graphs: { loc: "hospital.db2" },
    });
    // The server has them all: the text goes to it whole.
    expect(weighAt([there], asked, of([])).places.get(there)?.part).toBe("composite");
    expect(weighAt([there], inputs({ inputParams: { loc: "mars" } }), of(["db1"])).locationFaults).toEqual([
      'unknown location "mars" for parameter "$loc"',
    ]);
  });

  it("names the parameters that keep a candidate away, and no filter that fails besides", () => {
    const cypher = "MATCH (subject), (resource) WHERE resource.property.a < $max";
    const candidates = [stored("one", { cypher }), stored("two", { cypher, filter: scope })];
    const weighed = weigh(candidates, inputs({ token: { scope: "" } }));
    expect(weighed).toMatchObject({ participants: [], missing: ["max"] });
    expect(names(weigh(candidates, inputs({ inputParams: { max: 1 } })).participants)).toEqual(["one"]);
    expect(weigh(candidates, inputs({ inputParams: { max: null } })).missing).toEqual(["max"]);
  });

  it("is those that carry one of the tags, when tags are given", () => {
    const candidates = [stored("a", {}, ["x", "y"]), stored("b", {}, ["z"]), stored("c", {})];
    const having = (...tags: string[]): string[] =>
      names(
        tagged(candidates, {
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

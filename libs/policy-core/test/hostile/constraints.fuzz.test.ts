import { describe, expect, it } from "@jest/globals";
import { newProjectKey } from "@ikg/physical";
import fc from "fast-check";
import type { Node, Query } from "../../src/cypher/ast.ts";
import { nodesOf } from "../../src/cypher/walk.ts";
import { compileKbac } from "../../src/policy/compile.ts";
import type { KbacPolicy } from "../../src/policy/kbac.ts";
import { rewrite } from "../../src/rewrite/rewrite.ts";
import { decisionEnds, rewriteOptions } from "../../src/statements/ends.ts";
import { runs, seed } from "../runs.ts";

/** Kinds of nodes each of which narrows what a text matches, or where it matches it. */
const constraining: readonly Node["kind"][] = [
  "match",
  "with",
  "unwind",
  "call",
  "use",
  "node",
  "relationship",
  "comparison",
  "exists",
  "count",
  "unary",
  "entry",
];

const countsOf = (query: Query): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { kind } of nodesOf(query)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
};

const use = fc.constantFrom("", "", "USE graph.byName('c.north') ", "USE graph.byName($at) ");
const comparison = fc.constantFrom("r.property.a = 1", "r.external_id <> 'x'", "1 < 2", "(r)-->(:Kept)");

/** A list of clauses that binds a name and hands it out; subqueries in one another, each with or without a USE. */
const { body } = fc.letrec<{ body: string; predicate: string }>((tie) => ({
  body: fc
    .tuple(
      use,
      fc.constantFrom("MATCH (r:Revoked)", "MATCH (r)-[:OF]->(:Order)"),
      fc.option(tie("predicate")),
    )
    .map(([where, match, predicate]) => `${where}${match}${predicate === null ? "" : ` WHERE ${predicate}`}`),
  predicate: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    comparison,
    tie("body").map((inner) => `NOT EXISTS { ${inner} }`),
    tie("body").map((inner) => `COUNT { ${inner} } = 0`),
    tie("body").map((inner) => `NOT EXISTS { CALL () { ${inner} RETURN r AS s } RETURN 1 AS one }`),
    tie("body").map((inner) => `COUNT { CALL () { ${inner} RETURN r AS s } MATCH (s)-->(t) } = 0`),
  ),
}));

const text = fc
  .tuple(use, fc.option(body), fc.array(body, { maxLength: 2 }))
  .map(([where, inside, exists]) =>
    [
      `${where}MATCH (subject:Person)-[:R]->(resource:Doc)`,
      exists.length === 0 ? "" : `WHERE ${exists.map((each) => `NOT EXISTS { ${each} }`).join(" AND ")}`,
      inside === null ? "" : `CALL () { ${inside} RETURN r } WITH subject, resource, r WHERE r IS NOT NULL`,
    ].join(" "),
  );

const compile = (cypher: string): KbacPolicy | undefined => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: "3.0-kbac" },
      subject: { type: "Person" },
      actions: ["READ"],
      resource: { type: "Doc" },
      condition: { cypher },
    }),
  );
  return checked.ok ? checked.value : undefined;
};

/** Locations of the text by their names, each once. */
const locationsIn = (query: Query): readonly string[] => {
  const found = new Set<string>();
  for (const node of nodesOf(query))
    if (node.kind === "use") found.add(node.argument.kind === "string" ? node.argument.value : "at");
  return [...found].toSorted();
};

describe("a rewritten text", () => {
  it("never has fewer constraining clauses than the author's", () => {
    let accepted = 0;
    fc.assert(
      fc.property(text, (cypher) => {
        const policy = compile(cypher);
        if (policy === undefined) return;
        accepted += 1;
        const { query, analysis } = policy.condition;
        const options = rewriteOptions(
          policy,
          newProjectKey(Buffer.alloc(8)),
          "plain",
          { bound: [], pinned: decisionEnds },
          {},
        );
        const authorCounts = countsOf(query);
        const fewerIn = (printed: Query, kinds: readonly Node["kind"][]): readonly string[] => {
          const counts = countsOf(printed);
          return kinds.filter((kind) => (counts.get(kind) ?? 0) < (authorCounts.get(kind) ?? 0));
        };
        const report = analysis.report;
        expect(fewerIn(rewrite(query, report, { ...options, composite: true }), constraining)).toEqual([]);
        // Without a composite database the text runs in the one location that its USE clauses name.
        const besidesUse = constraining.filter((kind) => kind !== "use");
        expect(fewerIn(rewrite(query, report, options), besidesUse)).toEqual([]);
        const targets = policy.targets.flatMap((target) => target?.name ?? []);
        expect(targets.toSorted()).toEqual(locationsIn(query));
      }),
      { numRuns: runs(2_000), seed: seed() },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

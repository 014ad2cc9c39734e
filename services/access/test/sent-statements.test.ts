import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import { statementsOf } from "@ikg/policy-core/statements";
import { isLongRun, neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { openDecide } from "../src/decisions/decide.ts";
import { pageTokens } from "../src/decisions/page-token.ts";
import { openSearch } from "../src/decisions/search.ts";
import { snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";

const pk = newProjectKey(randomBytes(8));
const options = { timeoutMs: 80_000 };
const sent: string[] = [];
let graph: Graph;

beforeAll(async () => {
  const settings = neo4jOfTests();
  graph = connectGraph(settings, { onStatement: ({ text }) => void sent.push(text) });
  await graph.prepare();
});
afterAll(() => graph.close());

/** By version and text; of each the database plans three statements. */
const policies: readonly (readonly [version: string, cypher: string])[] = [
  ["2.0-kbac", "MATCH (subject:Nurse)-[:ON]->(w)-[:HOLDS]->(resource:Chart) WHERE resource.property.open"],
  [
    "2.0-kbac",
    "MATCH (subject:Nurse)-[:ON]->(w) WITH subject, count(w) AS n MATCH (subject)-[:MAY]->(resource:Chart) WHERE n > 1",
  ],
  ["3.0-kbac", "MATCH (subject:Nurse)-[:ON*1..3]->(resource:Chart)"],
  [
    "2.0-kbac",
    "MATCH (subject:Nurse) MATCH (resource:Chart) WHERE resource.property.level < subject.property.level",
  ],
];

const sample = isLongRun() ? policies : policies.slice(0, 2);

describe("what a preview shows of a policy", () => {
  it.each(sample)("is what decisions and searches send (%s: %s)", async (version, cypher) => {
    const policy = storedPolicy({ cypher, version });
    const snapshot = snapshotOf(projectOf(pk), [policy]);
    const decide = openDecide(graph);
    const tokens = pageTokens(randomBytes(32));
    const question = {
      subject: { type: "Nurse", id: "n1" },
      resource: { type: "Chart", id: "c1" },
      action: { name: "READ" },
      context: undefined,
      token: undefined,
    };
    sent.length = 0;
    await decide(snapshot, question, options);
    for (const sought of ["subject", "resource"] as const)
      await openSearch({ graph, tokens, decide }, sought)(snapshot, question, undefined, options);
    for (const { purpose, text } of statementsOf(policy.policy, pk))
      expect([purpose, sent.includes(text)]).toEqual([purpose, true]);
  });
});

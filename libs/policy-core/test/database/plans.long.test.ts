/** How the database plans printed statements. Every run compares what is printed, in `test/printed`. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { type ProjectKey, projectKey } from "@ikg/physical";
import type { Driver, Plan } from "neo4j-driver";
import { writeStatements } from "../../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, writeGraph } from "../graph.ts";
import { policyOf } from "../rules/versions.ts";
import { printedFor } from "../sample-policies/statements-of.ts";
import { openProfiler } from "../work/hits.ts";
import { queryOf } from "./film-queries.ts";

let graph: Graph;
let driver: Driver;
/** A project with so many nodes that the planner knows what a scan costs. */
let crowd: ProjectKey;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  driver = openProfiler();
  crowd = freshKey();
  await writeGraph(
    graph,
    crowd,
    Array.from({ length: 2_000 }, (_, at) => ({ type: "Person", id: `p${at}` })),
    [],
  );
  await driver.executeQuery("CALL db.prepareForReplanning(60)");
});
afterAll(async () => {
  await dropGraph(graph, crowd);
  await driver.close();
  await graph.close();
});

const operators = (plan: Plan): readonly string[] => [
  plan.operatorType.replace(/@.*/, ""),
  ...plan.children.flatMap(operators),
];

const planOf = async (text: string): Promise<readonly string[]> => {
  const session = driver.session({ database: "neo4j" });
  try {
    const { summary } = await session.run(`EXPLAIN ${text}`, { rows: [], keys: [], ids: [], __row: {} });
    return summary.plan === false ? [] : operators(summary.plan);
  } finally {
    await session.close();
  }
};

/** `_P__00000000` of the project that statements are tried for. */
const nowhere = "00000000";

describe("plans of the database", () => {
  it.each([
    ["a decision", "MATCH (subject)-[:CARES_FOR]->(resource)", 0, 2],
    ["a search for resources", "MATCH (subject)-[:CARES_FOR]->(resource)", 1, 1],
    ["a search for subjects", "MATCH (subject)-[:CARES_FOR]->(resource)", 2, 1],
    [
      "a decision by a chain",
      "MATCH (subject)-[:KEEPS]->(:Vault)-[:HOLDS]->(:Reel)<-[:IS_ON]-(resource)",
      0,
      2,
    ],
  ])("%s seeks the ends by the unique index and scans nothing", async (_name, cypher, index, seeks) => {
    const { statements } = printedFor(JSON.stringify(policyOf("2.0-kbac", { cypher })));
    const plan = await planOf(statements[index]?.text ?? "");
    expect({ plan, seeks: plan.filter((each) => each === "NodeUniqueIndexSeek").length }).toEqual({
      plan,
      seeks,
    });
    expect(plan.filter((each) => /Scan/.test(each))).toEqual([]);
    // A product of two ends that are both pinned has one row.
    expect(plan.filter((each) => each === "CartesianProduct").length).toBeLessThan(seeks);
  });

  it("the upserts of a query seek by the unique index and scan nothing", async () => {
    const query = queryOf(
      "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)",
      {
        upsert_nodes: [
          { name: "film", properties: [{ type: "state", value: 1 }] },
          { name: "note", type: "Note", external_id: "$note" },
        ],
        upsert_relationships: [{ name: "about", type: "ABOUT", source: "note", target: "film" }],
      },
      {
        allowed_upserts: {
          nodes: { existing_nodes: ["film"], node_types: ["Note"] },
          relationships: {
            relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Film" }],
          },
        },
      },
    );
    const steps = writeStatements(query, projectKey(nowhere));
    const texts = [...(steps?.nodes ?? []), ...(steps?.relationships ?? [])];
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      const plan = await planOf(text);
      expect({ text, plan }).toEqual({
        text,
        plan: expect.arrayContaining([
          expect.stringMatching(/UniqueIndexSeek|MergeUniqueNode|MultiNodeIndexSeek/),
        ]),
      });
      expect(plan.filter((each) => /Scan/.test(each))).toEqual([]);
    }
  });
});

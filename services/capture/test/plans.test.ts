import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { lockNodesText, newProjectKey } from "@ikg/physical";
import neo4j, { type Driver, type Plan } from "neo4j-driver";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import {
  deleteNodesText,
  nodeNameText,
  removeFieldsText,
  replaceLabelsText,
  upsertNodesText,
} from "../src/nodes/statements.ts";
import {
  deleteRelationshipsText,
  existingKeysText,
  removePropertiesText,
  upsertRelationshipsText,
} from "../src/relationships/statements.ts";

let driver: Driver;

beforeAll(() => {
  const { NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD } = process.env;
  if (NEO4J_URI === undefined) throw new Error("NEO4J_URI is not set: this test needs a running Neo4j");
  driver = neo4j.driver(NEO4J_URI, neo4j.auth.basic(NEO4J_USERNAME ?? "", NEO4J_PASSWORD ?? ""));
});
afterAll(() => driver.close());

const operators = (plan: Plan): string[] => [
  plan.operatorType.replace(/@.*/, ""),
  ...plan.children.flatMap(operators),
];

/** The plan's operators; the parameters have the kinds that production sends. */
const planOf = async (text: string): Promise<string[]> => {
  const session = driver.session({ database: "neo4j" });
  try {
    const row = {
      i: neo4j.int(0),
      k: "k",
      t: "ANY",
      l: ["Car"],
      a: "a",
      b: "b",
      d: "",
      id: "id",
      x: "x",
      p: {},
      keep: ["a"],
      set: ["a"],
      exact: ["a"],
      below: ["a."],
    };
    const { summary } = await session.run(
      text.startsWith("CYPHER") ? text.replace("replan=force ", "replan=force EXPLAIN ") : `EXPLAIN ${text}`,
      {
        rows: [row],
        keys: ["k"],
        type: "Car",
        now: "now",
        id: "id",
      },
    );
    return summary.plan === false ? [] : operators(summary.plan);
  } finally {
    await session.close();
  }
};

const expectSeeks = async (text: string, seeks: number): Promise<void> => {
  const plan = await planOf(text);
  const seek =
    /^(NodeUniqueIndexSeek(\(Locking\))?|MultiNodeIndexSeek|MergeUniqueNode|AssertingMultiNodeIndexSeek)$/;
  const found = plan.filter((operator) => seek.test(operator));
  expect({ plan, seeks: found.length }).toEqual({ plan, seeks });
  expect(plan.filter((operator) => operator.includes("Scan"))).toEqual([]);
  // A product of two nodes that are both pinned by their keys has one row.
  const products = plan.filter((operator) => operator === "CartesianProduct").length;
  expect(products).toBeLessThan(seeks);
};

describe("plans of the capture statements", () => {
  const pk = newProjectKey(randomBytes(8));
  type Case = readonly [name: string, text: string, seeks: number];
  // Names that nothing in the database has: a plan may not depend on what is already there.
  const never = `NEVER_${pk.toUpperCase()}`;
  const writes: readonly Case[] = [
    ["upsert of nodes", upsertNodesText, 1],
    ["upsert of relationships", upsertRelationshipsText(never), 2],
    ["locks", lockNodesText, 1],
    ["deletes of nodes", deleteNodesText(pk), 1],
    ["deletes of relationships", deleteRelationshipsText(never), 2],
  ];
  const further: readonly Case[] = [
    ["extra labels", replaceLabelsText, 1],
    ["existing ends", existingKeysText, 1],
    ["deletes of fields", removeFieldsText, 1],
    ["a node by its gid", nodeNameText(pk), 1],
    ["deletes of properties of relationships", removePropertiesText(never), 2],
  ];

  const known = isLongRun() ? [...writes, ...further] : writes;

  it.each(known)("%s: unique index seeks and no scan", (_, text, seeks) => expectSeeks(text, seeks));

  // Without a type the plan depends on how many relationships there are: with none at all it looks at all of them, until
  // the database plans again because there are more.
  const untyped: readonly (readonly [name: string, text: string])[] = [
    ["upsert of relationships", upsertRelationshipsText(undefined)],
    ["deletes of relationships", deleteRelationshipsText(undefined)],
    ["deletes of their properties", removePropertiesText(undefined)],
  ];

  const any = isLongRun() ? untyped : untyped.slice(0, 2);

  it.each(any)("%s of any type, where there are some: unique index seeks and no scan", async (_, text) => {
    const label = `Plans__${pk}`;
    const session = driver.session();
    try {
      await session.run(`UNWIND range(1, 300) AS i CREATE (:${label})-[:PLANS]->(:${label})`);
      await expectSeeks(`CYPHER replan=force ${text}`, 2);
    } finally {
      await session.run(`MATCH (n:${label}) DETACH DELETE n`);
      await session.close();
    }
  });
});

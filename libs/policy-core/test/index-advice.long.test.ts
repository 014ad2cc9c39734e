import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { typeLabel, type ProjectKey } from "@ikg/physical";
import type { Driver, Plan } from "neo4j-driver";
import { compileCiq, compileKbac } from "../src/index.ts";
import { compileQuery } from "../src/query/index.ts";
import { readStatement, searchStatement } from "../src/statements/index.ts";
import { queryWarningsOf, type Warning, warningsOf } from "../src/warnings/index.ts";
import { dropGraph, freshKey, openTestGraph, writeGraph } from "./graph.ts";
import { openProfiler } from "./work/hits.ts";

let graph: Graph;
let driver: Driver;
let pk: ProjectKey;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  driver = openProfiler();
  pk = freshKey();
  const charts = Array.from({ length: 60 }, (_, index) => ({
    type: "Chart",
    id: `c${index}`,
    properties: { risk: index, title: `chart ${index}` },
  }));
  await writeGraph(graph, pk, [{ type: "Nurse", id: "n1", properties: { level: 3 } }, ...charts], []);
});

afterAll(async () => {
  await dropGraph(graph, pk);
  await graph.close();
  await driver.close();
});

const operatorsOf = ({ operatorType, children }: Plan): readonly string[] => [
  operatorType,
  ...children.flatMap(operatorsOf),
];

/** Whether the planner reaches charts by an index of a property. */
const usesIndex = async (statement: string): Promise<boolean> => {
  const { summary } = await driver.executeQuery(`EXPLAIN ${statement}`, { __row: {} });
  if (summary.plan === false) throw new Error("the database gave no plan");
  return operatorsOf(summary.plan).some((operator) => /NodeIndex(Seek|Contains|EndsWith)/.test(operator));
};

const run = async (statement: string): Promise<void> => {
  await driver.executeQuery(statement);
};

/** Every index that could be meant, for what is not advised. */
const everyIndex = (): readonly string[] =>
  ["RANGE", "TEXT"].flatMap((kind) =>
    ["risk", "title"].map(
      (field) =>
        `CREATE ${kind} INDEX ix_${pk}_${kind}_${field} IF NOT EXISTS FOR (n:${typeLabel("Chart", pk)}) ON (n.${field})`,
    ),
  );

/** Does what the warnings say, or all that could be done where they say nothing, and looks at the plan. */
const isServed = async (warnings: readonly Warning[], statement: string): Promise<boolean> => {
  const advised = warnings.flatMap((warning) => warning.statement ?? []);
  const statements = advised.length > 0 ? advised : everyIndex();
  try {
    for (const create of statements) await run(create);
    await run("CALL db.awaitIndexes(60)");
    return await usesIndex(statement);
  } finally {
    for (const create of statements) await run(`DROP INDEX ${create.split(" ")[3] ?? ""} IF EXISTS`);
  }
};

const indexWarnings = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.filter(
    ({ code, statement }) => code === "index-would-serve" && statement?.includes("Chart__") === true,
  );

const inCypher: readonly (readonly [string, boolean])[] = [
  ["(resource:Chart) WHERE resource.property.risk <= $max", true],
  ["(resource:Chart) WHERE 3 < resource.property.risk <= $max", true],
  ["(resource) WHERE resource.property.risk = subject.property.level", true],
  ["(resource:Chart) WHERE resource.property.risk IN $list", true],
  ["(resource:Chart {title: $title})", true],
  ["(resource:Chart WHERE resource.property.title STARTS WITH $title)", true],
  ["(resource:Chart) WHERE resource.property.title CONTAINS $title", true],
  ["(resource:Chart) WHERE resource.property.title ENDS WITH $title", true],
  ["(resource:Chart) WHERE resource.property.risk <> 3", false],
  ["(resource:Chart) WHERE toLower(resource.property.title) = 'x'", false],
];

const inFilter: readonly (readonly [string, unknown, boolean])[] = [
  ["=", 3, true],
  ["=", "$value", true],
  ["<=", 3, true],
  [">", "$value", false],
  ["STARTS WITH", "a", true],
  ["STARTS WITH", "$value", true],
  ["ENDS WITH", "$value", true],
  ["CONTAINS", "a", false],
  ["IN", [1, 2], false],
  ["IN", "$value", false],
  ["<>", 3, false],
];

describe("an index is advised exactly where the database would use it", () => {
  it.each(inCypher)("MATCH (subject:Nurse), %s: %s", async (pattern, advised) => {
    const checked = compileKbac(
      JSON.stringify({
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Nurse" },
        actions: ["SIGN"],
        resource: { type: "Chart" },
        condition: { cypher: `MATCH (subject:Nurse), ${pattern}` },
      }),
    );
    if (!checked.ok) throw new Error(checked.faults.join("; "));
    const warnings = indexWarnings(warningsOf(checked.value, { pk }));
    expect(warnings.length > 0).toBe(advised);
    expect(await isServed(warnings, searchStatement(checked.value, pk, "resource"))).toBe(advised);
  });

  it.each(inFilter)("a filter leaf chart.property.risk %s %j: %s", async (operator, value, advised) => {
    const policy = compileCiq(
      JSON.stringify({
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "Nurse" },
        condition: { cypher: "MATCH (subject) MATCH (chart:Chart)" },
        allowed_reads: { nodes: ["chart.*"] },
      }),
    );
    if (!policy.ok) throw new Error(policy.faults.join("; "));
    const filter = { attribute: "chart.property.risk", operator, value };
    const query = compileQuery(JSON.stringify({ nodes: ["chart.external_id"], filter }), policy.value);
    if (!query.ok) throw new Error(query.faults.join("; "));
    const warnings = indexWarnings(queryWarningsOf(query.value, { pk }));
    expect(warnings.length > 0).toBe(advised);
    expect(await isServed(warnings, readStatement(query.value, pk).text)).toBe(advised);
  });
});

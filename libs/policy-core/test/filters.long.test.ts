import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import {
  keyField,
  nodeKey,
  nodeLabel,
  projectLabel,
  type ProjectKey,
  propertyField,
  quoteName,
  typeLabel,
} from "@ikg/physical";
import type { Binding } from "../src/bindings/kind.ts";
import { Faults } from "../src/json.ts";
import { printTree } from "../src/cypher/printer.ts";
import { printFilter } from "../src/filters/print.ts";
import { readFilters } from "../src/filters/read.ts";
import { resolveFilter, type ResolvedFilter } from "../src/filters/resolve.ts";
import { bindRow } from "../src/values/bind.ts";
import { RequiredInputs } from "../src/values/reference.ts";
import { dropGraph, freshKey, openTestGraph, options } from "./graph.ts";
import { type TruthRow, truthTable } from "./truth-table.ts";
import { note } from "./neo4j-syntax/every-statement.ts";

let graph: Graph;
let here: ProjectKey;

/** What the database stores: a value, or a list of values of one kind. */
const isStorable = (value: unknown): boolean =>
  !Array.isArray(value) ||
  (value.every((each) => each !== null && !Array.isArray(each)) &&
    new Set(value.map((each) => typeof each)).size <= 1);

const property = (name: string, value: unknown): Readonly<Record<string, unknown>> =>
  value === null || value === undefined || !isStorable(value) ? {} : { [propertyField(name)]: value };

beforeAll(async () => {
  graph = openTestGraph(false);
  await graph.prepare();
  here = freshKey();
  const rows = truthTable.map(({ attribute, value }, index) => ({
    [keyField]: nodeKey(here, "Row", String(index)),
    ...property("x", attribute),
    ...property("y", value),
  }));
  const label = [nodeLabel, projectLabel(here), typeLabel("Row", here)].map(quoteName).join(":");
  const text = `UNWIND $rows AS row CREATE (n:${label}) SET n = row`;
  await graph.shared.write((tx) => tx.run(text, { rows }), options);
});

afterAll(async () => {
  await dropGraph(graph, here);
  await graph.close();
});

const node = { kind: { kind: "node" as const }, isOptional: false, isFromPattern: true };
const bindings = new Map<string, Binding>([
  ["n", node],
  ["m", node],
  ["agg", { kind: { kind: "unknown" as const }, isOptional: false, isFromPattern: false }],
]);

const resolve = (json: unknown): ResolvedFilter | undefined => {
  const faults = new Faults();
  const raw = readFilters(json, "f", faults);
  const resolved = faults.none ? resolveFilter(raw, { language: "ciq", bindings }, faults) : undefined;
  return faults.none ? resolved : undefined;
};

const filterOf = (
  { operator, value, instants }: TruthRow,
  attribute: string,
  given: unknown,
): ResolvedFilter | undefined =>
  resolve({
    operator,
    attribute,
    ...(value === undefined ? {} : { value: instants === true ? { type: "datetime", value: given } : given }),
  });

type Case = readonly [index: number, filter: ResolvedFilter];

const noted = new Set<string | undefined>();

/** One expression of each operator goes to the vendor's checker. */
const noteOnePerOperator = (texts: ReadonlyMap<string, readonly number[]>): void => {
  for (const [text, [index = 0]] of texts) {
    const row = truthTable[index];
    const kind = row?.instants === true ? "instants" : row?.operator.replace(/^[<>]=?$/, "<");
    if (noted.has(kind)) continue;
    noted.add(kind);
    note(`UNWIND $rows AS __row MATCH (n:_Node) WITH __row, n, n AS m, n.x AS agg RETURN ${text} AS truth`);
  }
};

/** Asks many rows at once; each finds its own expression by its number, and equal texts are written once. */
const ask = async (cases: readonly Case[]): Promise<Map<number, unknown>> => {
  const truths = new Map<number, unknown>();
  const texts = new Map<string, number[]>();
  for (const [index, { filter }] of cases) {
    const text = printTree(printFilter(filter, { pk: here, rowSource: "row" }));
    texts.set(text, [...(texts.get(text) ?? []), index]);
  }
  const byIndex = new Map(cases);
  noteOnePerOperator(texts);
  const groups = [...texts];
  for (let from = 0; from < groups.length; from += 15) {
    const group = groups.slice(from, from + 15);
    const whens = group.map(([text], number) => `WHEN ${number} THEN ${text}`).join("\n");
    const rows = group.flatMap(([, indexes], number) =>
      indexes.map((index) => {
        const { attribute, value } = truthTable[index] ?? { attribute: null };
        const bound = bindRow(byIndex.get(index)?.needs ?? new RequiredInputs(), {
          inputParams: { v: value ?? null, x: attribute },
        });
        return { i: index, g: number, k: nodeKey(here, "Row", String(index)), x: attribute, ...bound };
      }),
    );
    const text = `UNWIND $rows AS __row MATCH (n:_Node {_key: __row.k}) WITH __row, n, n AS m, __row.x AS agg
      RETURN __row.i AS i, CASE __row.g\n${whens}\nEND AS truth`;
    for (const each of await graph.shared.read(text, { rows }, options)) {
      truths.set(Number(each["i"]), each["truth"]);
    }
  }
  return truths;
};

const attributes = [
  ["a stored property", "n.property.x", true],
  ["a value that a WITH bound", "agg", false],
  ["a parameter", "$x", false],
] as const;

const values = [
  ["a literal", undefined, false],
  ["a parameter", "$v", false],
  ["a property of a node", "@m.property.y", true],
] as const;

describe("a printed filter has the truth that it has in memory", () => {
  const combinations = attributes.flatMap((attribute) => values.map((value) => [attribute, value] as const));

  it.each(combinations.map(([attribute, value]) => [attribute[0], value[0], attribute, value] as const))(
    "the attribute being %s and the value %s",
    async (_, __, [, attribute, attributeIsStored], [, value, valueIsStored]) => {
      const cases = truthTable.flatMap((row, index): Case[] => {
        if (attributeIsStored && !isStorable(row.attribute)) return [];
        if (valueIsStored && !isStorable(row.value)) return [];
        const filter = filterOf(row, attribute, value ?? row.value);
        return filter === undefined ? [] : [[index, filter]];
      });
      expect(cases.length).toBeGreaterThan(100);
      const truths = await ask(cases);
      const wrong = cases.flatMap(([index]) => {
        const row = truthTable[index];
        const truth = truths.get(index) ?? null;
        return row?.truth === truth
          ? []
          : [`${JSON.stringify(row).slice(0, 160)} found ${JSON.stringify(truth)}`];
      });
      expect(wrong.slice(0, 20).join("\n")).toBe("");
    },
  );
});

describe("a stored text of the longest length", () => {
  const emoji = "\u{1F600}";
  const long = `${"\uE000".repeat(65_535)}${emoji}`;
  const key = (name: string) => nodeKey(here, "Row", name);

  beforeAll(async () => {
    const label = [nodeLabel, projectLabel(here), typeLabel("Row", here)].map(quoteName).join(":");
    const rows = [{ [keyField]: key("long"), [propertyField("x")]: long }];
    await graph.shared.write(
      (tx) => tx.run(`UNWIND $rows AS row CREATE (n:${label}) SET n = row`, { rows }),
      options,
    );
  });

  // One that is compared character by character with a growing copy takes 47 s.
  it.each([
    [long, "<=", true],
    [`${long.slice(0, -2)}\uFFFF`, ">", true],
    [`${long}a`, "<", true],
    [emoji, "<", true],
    [emoji, ">", false],
  ])("is compared by code point within seconds (%#)", async (value, operator, expected) => {
    const filter = resolve({ operator, attribute: "n.property.x", value: "$v" });
    if (filter === undefined) throw new Error("the filter is refused");
    const text = printTree(printFilter(filter.filter, { pk: here, rowSource: "row" }));
    const bound = bindRow(filter.needs, { inputParams: { v: value } });
    const rows = [{ k: key("long"), ...bound }];
    const statement = `UNWIND $rows AS __row MATCH (n:_Node {_key: __row.k}) WITH __row, n RETURN ${text} AS truth`;
    await graph.shared.read(`${statement} LIMIT 0`, { rows }, options);
    const started = performance.now();
    expect(await graph.shared.read(statement, { rows }, options)).toEqual([{ truth: expected }]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

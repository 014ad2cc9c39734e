import type { Graph, Row } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import {
  bindValues,
  rowValues,
  compileCiq,
  compileKbac,
  type CiqPolicy,
  type Inputs,
  type KbacPolicy,
} from "../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../src/query/index.ts";
import {
  bindUpserts,
  type Column,
  planWrites,
  pageOf,
  readStatement,
  writeStatements,
} from "../../src/statements/index.ts";
import { options } from "../graph.ts";
import { blocks, jsonBlocks, type Block } from "./page.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a call of an example brings, as the page writes it. */
export interface ExampleCall {
  readonly input_params?: Json;
  readonly token?: Json;
  readonly request?: Json;
}

export const inputsOf = ({ input_params, token, request }: ExampleCall): Inputs => ({
  inputParams: input_params ?? {},
  token,
  request,
});

/** The policy of the page that has this name. */
const policyText = (name: string): string => {
  const found = blocks.find(({ marks }) => marks[0] === "policy" && marks[1] === name);
  if (found === undefined) throw new Error(`the page has no policy "${name}"`);
  return found.text;
};

export const kbacOf = (name: string): KbacPolicy => {
  const checked = compileKbac(policyText(name));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

export const ciqOf = (name: string): CiqPolicy => {
  const checked = compileCiq(policyText(name));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

/** The rows that the page shows, each with the query that stands last before them. */
export interface ShownRows {
  readonly query: Block;
  readonly line: number;
  readonly call: ExampleCall;
  readonly data: readonly Json[];
}

export const shownRows = (): readonly ShownRows[] =>
  jsonBlocks<{ call: ExampleCall; data: readonly Json[] }>("rows").map(({ block, content }) => {
    const query = blocks.findLast(({ marks, line }) => marks[0] === "query" && line < block.line);
    if (query === undefined) throw new Error("rows without a query");
    return { query, line: block.line, ...content };
  });

export const queryOf = ({ marks, text }: Block): KnowledgeQuery => {
  const checked = compileQuery(text, ciqOf(marks[1] ?? ""));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

/** A row of an answer; whole elements and wildcards are shaped by the service and stand in no example. */
const answer = (columns: readonly Column[], values: readonly unknown[]): Json => {
  const part = (kind: Column["kind"]): Json =>
    Object.fromEntries(
      columns.flatMap((column, index) =>
        column.kind === kind
          ? [[column.kind === "aggregate" ? column.aggregate : column.path.text, values[index]]]
          : [],
      ),
    );
  const hasColumn = (kind: Column["kind"]): boolean => columns.some((column) => column.kind === kind);
  return {
    nodes: part("node"),
    ...(hasColumn("relationship") ? { relationships: part("relationship") } : {}),
    ...(hasColumn("aggregate") ? { aggregate_values: part("aggregate") } : {}),
  };
};

/** Executes a query as its service does, the first page of it. */
export const execute = async (
  graph: Graph,
  pk: ProjectKey,
  query: KnowledgeQuery,
  inputs: Inputs,
): Promise<readonly Json[]> => {
  const values = bindValues(query.needs, inputs);
  const { sub } = inputs.token ?? {};
  const subject = typeof sub === "string" ? sub : "";
  const row = { s: nodeKey(pk, query.policy.subjectType, subject), ...rowValues(values) };
  const statements = writeStatements(query, pk);
  if (statements === undefined) {
    const { text, columns } = readStatement(query, pk);
    const rows = pageOf(await graph.shared.read(text, { __row: { ...row, skip: 0, take: 100 } }, options));
    return rows.map((values) => answer(columns, values));
  }
  const bound = bindUpserts(statements.writes, values, "2026-02-01T00:00:00.000Z");
  if (!bound.ok) throw new Error(bound.faults.join("; "));
  return graph.shared.write(async (tx) => {
    const rows = await tx.run(statements.match.text, { __row: row });
    const making = { now: "2026-02-01T00:00:00.000Z", newNodeId: () => `${pk}-new` };
    const plan = planWrites(statements, bound.value, rows, making);
    if (!plan.ok) throw new Error(plan.faults.join("; "));
    for (const step of plan.value.nodes) await tx.run(step.text, step.params);
    const made: Row[][] = [];
    for (const step of plan.value.relationships) made.push(await tx.run(step.text, step.params));
    const projection = plan.value.projection(0, rows, made);
    const shown = projection === undefined ? [] : await tx.run(projection.text, projection.params);
    for (const step of plan.value.deletes) await tx.run(step.text, step.params);
    return rows.map((each, i) => {
      const found = { ...each, ...shown.find((one) => one["i"] === i) };
      return answer(
        statements.columns,
        statements.columns.map(({ name }) => found[name]),
      );
    });
  }, options);
};

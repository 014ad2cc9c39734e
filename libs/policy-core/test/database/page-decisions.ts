import { afterAll, beforeAll } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, bindValues, evaluateFilter, missingParameters, type KbacPolicy } from "../../src/index.ts";
import { decideStatement } from "../../src/statements/index.ts";
import { dropGraph, freshKey, openTestGraph, options, type TestEdge, writeGraph } from "../graph.ts";
import { type ExampleCall, inputsOf } from "../rules/examples.ts";
import { type Block, jsonBlocks } from "../rules/page.ts";

/** What a decision of a page asks. */
export interface Question extends ExampleCall {
  readonly subject: string;
  readonly resource: string;
}

export let graph: Graph;

/** The key of the graph of a page. */
export let here: ProjectKey;

/** Writes the graph that a page shows. */
const writePageGraph = async (graph: Graph, pk: ProjectKey, blocks: readonly Block[]): Promise<void> => {
  const [drawn] = jsonBlocks<{
    nodes: readonly (readonly [string, string, Record<string, unknown>])[];
    relationships: readonly TestEdge[];
  }>("graph", blocks);
  if (drawn === undefined) throw new Error("the page shows no graph");
  const { nodes, relationships } = drawn.content;
  await writeGraph(
    graph,
    pk,
    nodes.map(([type, id, properties]) => ({ type, id, properties })),
    relationships.map(([source, type, target, properties]) => [
      source,
      type,
      target,
      { _discriminator: "", ...properties },
    ]),
  );
};

/** Gives the tests of a file the graph that a page shows. */
export const usePageGraph = (blocks: readonly Block[]): void => {
  beforeAll(async () => {
    graph = openTestGraph();
    await graph.prepare();
    here = freshKey();
    await writePageGraph(graph, here, blocks);
  });
  afterAll(async () => {
    await dropGraph(graph, here);
    await graph.close();
  });
};

/** The row of a decision statement. */
export const rowOf = (
  pk: ProjectKey,
  policy: KbacPolicy,
  question: Question,
): Readonly<Record<string, unknown>> => ({
  i: 0,
  c0: true,
  s: nodeKey(pk, policy.subjectType, question.subject),
  r: nodeKey(pk, policy.resourceType, question.resource),
  ...bindRow(policy.needs, inputsOf(question)),
});

/** Decides as the access service does: parameters, filter, then the database. */
export const decide = async (
  graph: Graph,
  pk: ProjectKey,
  policy: KbacPolicy,
  question: Question,
): Promise<object> => {
  const missing = missingParameters(policy.needs, question.input_params ?? {});
  if (missing.length > 0) return { missing };
  const values = bindValues(policy.needs, inputsOf(question));
  const filter = policy.filter && evaluateFilter(policy.filter.filter, values);
  if (filter !== undefined && filter.truth !== true) {
    return { granted: false, ...(filter.advice.length > 0 ? { advice: filter.advice } : {}) };
  }
  const { text } = decideStatement([policy], pk, "plain");
  const [row] = await graph.shared.read(text, { __row: rowOf(pk, policy, question) }, options);
  return { granted: row?.["granted_by"] === 0 };
};

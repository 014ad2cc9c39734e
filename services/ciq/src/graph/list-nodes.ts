import type { GraphNodesQuery, NodeSummaries, NodeSummary } from "@ikg/contracts";
import { behindPrefix, keyPrefix, type ProjectKey, writtenRanges } from "@ikg/physical";
import { fieldsOf } from "@ikg/query-rows";
import type { Cursors, ListScope, NodesCursor } from "./cursors.ts";
import { type GraphReadContext, readRows } from "./read-context.ts";
import { summaryOf } from "./shown-fields.ts";
import { nodesText } from "./statements.ts";

/** Keys of nodes from `from` to before `before`, restricted to those that begin with `prefix`. */
interface NodeRange {
  readonly from: string;
  readonly before: string;
  readonly prefix: string;
}

/** Ranges of the nodes that callers captured. */
const nodeRanges = (pk: ProjectKey, { type, prefix = "" }: GraphNodesQuery): readonly NodeRange[] => {
  if (type === undefined)
    return writtenRanges(pk).map(({ after, before }) => ({ from: after, before, prefix: `${pk}/` }));
  if (type.startsWith("_")) return [];
  const ofType = keyPrefix(pk, type);
  const from = `${ofType}${prefix}`;
  return [{ from, before: behindPrefix(ofType), prefix: from }];
};

interface NodeHit {
  readonly range: number;
  readonly key: string;
  readonly item: NodeSummary;
}

/** Nodes of a range, at most `wanted`. @param after begins behind this key. */
const readRange = async (
  context: GraphReadContext,
  range: number,
  { from, before, prefix }: NodeRange,
  after: string | undefined,
  wanted: number,
): Promise<readonly NodeHit[]> => {
  const { graph, project } = context;
  // One more, because the first may be the one that the list continues after.
  const params = { from: after ?? from, before, size: wanted + 1 };
  const rows = await readRows(context, graph.of(project), nodesText(project.pk), params);
  return rows
    .map(({ key, labels, summary }) => ({
      range,
      key: String(key),
      item: summaryOf(labels, fieldsOf(summary), project.pk),
    }))
    .filter(({ key }) => key !== after && key.startsWith(prefix))
    .slice(0, wanted);
};

const scopeOf = ({ type, prefix = "" }: GraphNodesQuery): ListScope => [type ?? null, prefix];

/**
 * A page of nodes, in the order of their types and external ids by code point.
 *
 * @throws Problem `invalid_request` (400) for a cursor of another list; as `Database.read`.
 */
export const listNodes = async (
  context: GraphReadContext,
  query: GraphNodesQuery,
  cursors: Cursors<NodesCursor>,
): Promise<NodeSummaries> => {
  const { id, pk } = context.project;
  const { limit, cursor } = query;
  const begin = cursors.read(id, scopeOf(query), cursor);
  const found: NodeHit[] = [];
  for (const [at, range] of nodeRanges(pk, query).entries()) {
    const wanted = limit + 1 - found.length;
    if (at < (begin?.range ?? 0) || wanted === 0) continue;
    const after = begin?.range === at ? `${pk}${begin.after}` : undefined;
    found.push(...(await readRange(context, at, range, after, wanted)));
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const has_more = found.length > limit && last !== undefined;
  return {
    items: shown.map(({ item }) => item),
    has_more,
    next_cursor: has_more
      ? cursors.issue(id, scopeOf(query), { range: last.range, after: last.key.slice(pk.length) })
      : "",
  };
};

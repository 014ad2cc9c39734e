import type { Neighbour, NeighboursQuery } from "@ikg/contracts";
import { omitUndefined, stringOrUndefined } from "@ikg/contracts";
import type { Database, Row } from "@ikg/graph";
import { fieldsOf } from "@ikg/query-rows";
import { AnswerTooLarge } from "../memory/execution-memory.ts";
import type { Cursors, ListScope, NeighboursCursor } from "./cursors.ts";
import { type GraphReadContext, type NodeName, pageBytes, locateNode, readRows } from "./read-context.ts";
import { propertiesOfRelationship, summaryOf } from "./shown-fields.ts";
import { neighboursText } from "./statements.ts";

/** A page of neighbours as JSON. */
export interface NeighboursPage {
  readonly count: number;
  readonly pieces: readonly string[];
}

/** Sorts before every relationship. */
const start = { type: "", direction: -1, neighbourId: "", elementId: "" };

const neighbourOf = (
  { project: { pk }, shown }: GraphReadContext,
  { type, direction, properties, created, updated, labels, summary }: Row,
): Neighbour => ({
  relationship: omitUndefined({
    type: String(type),
    direction: direction === 0 ? ("out" as const) : ("in" as const),
    properties: propertiesOfRelationship(fieldsOf(properties), shown),
    create_time: stringOrUndefined(created),
    update_time: stringOrUndefined(updated),
  }),
  node: summaryOf(labels, fieldsOf(summary), pk),
});

const cursorAt = (database: number, { type, direction, neighbourId, elementId }: Row): NeighboursCursor => ({
  database,
  type: String(type),
  direction: Number(direction),
  neighbourId: String(neighbourId),
  elementId: String(elementId),
});

/** The items of a page so far, each with the cursor that continues after it. */
interface Builder {
  readonly items: { readonly text: string; readonly cursor: NeighboursCursor }[];
  /** More relationships follow the items. */
  hasMore: boolean;
  bytes: number;
}

/** Reads the relationships of one database into a page, row by row, so that memory is bounded whatever they hold. */
const readInto = async (
  builder: Builder,
  context: GraphReadContext,
  database: Database,
  text: string,
  { params, index, limit }: { params: Readonly<Record<string, unknown>>; index: number; limit: number },
): Promise<void> => {
  const onRow = (row: Row): boolean => {
    const item = JSON.stringify(neighbourOf(context, row));
    const bytes = Buffer.byteLength(item) + 1;
    if (builder.items.length === limit || builder.bytes + bytes > pageBytes(context)) {
      if (builder.items.length === 0) throw new AnswerTooLarge(`a relationship of ${bytes} bytes`);
      builder.hasMore = true;
      return false;
    }
    builder.items.push({ text: item, cursor: cursorAt(index, row) });
    builder.bytes += bytes;
    return true;
  };
  try {
    await readRows(context, database, text, { ...params, size: limit + 1 - builder.items.length }, { onRow });
  } catch (error) {
    // The page ends before the relationship that does not fit.
    if (!(error instanceof AnswerTooLarge) || builder.items.length === 0) throw error;
    builder.hasMore = true;
  }
};

const scopeOf = ({ type, externalId }: NodeName, { types, direction }: NeighboursQuery): ListScope => [
  type,
  externalId,
  types ?? null,
  direction,
];

/**
 * A page of the captured relationships of a node, with the nodes at their other ends. It ends early where it would exceed the
 * project's `page_bytes`. Relationships within one location are stored there; those between locations are in the default database.
 *
 * @throws Problem `not_found` (404) without the node, `invalid_request` (400) for a cursor of another list; AnswerTooLarge for a
 *   single relationship that no page holds; as `Database.read`.
 */
export const listNeighbours = async (
  context: GraphReadContext,
  name: NodeName,
  query: NeighboursQuery,
  cursors: Cursors<NeighboursCursor>,
): Promise<NeighboursPage> => {
  const { id, pk } = context.project;
  const scope = scopeOf(name, query);
  const { types = null, direction, limit } = query;
  const begin = cursors.read(id, scope, query.cursor);
  const { key, databases } = await locateNode(context, name);
  const builder: Builder = { items: [], hasMore: false, bytes: 0 };
  for (const [index, database] of databases.entries()) {
    if (index < (begin?.database ?? 0) || builder.hasMore) continue;
    const { type, direction: after, neighbourId, elementId } = begin?.database === index ? begin : start;
    const params = { key, types, type, direction: after, neighbourId, elementId };
    await readInto(builder, context, database, neighboursText(pk, direction), { params, index, limit });
  }
  const last = builder.items.at(-1);
  const next_cursor = builder.hasMore && last !== undefined ? cursors.issue(id, scope, last.cursor) : "";
  const end = JSON.stringify({ has_more: builder.hasMore, next_cursor }).slice(1);
  return {
    count: builder.items.length,
    pieces: ['{"items":[', builder.items.map(({ text }) => text).join(","), `],${end}`],
  };
};

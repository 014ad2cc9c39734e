import type { Neighbour, NeighboursQuery } from "@ikg/contracts";
import { setFields } from "@ikg/contracts";
import type { Database, Row } from "@ikg/graph";
import { AnswerTooLarge } from "../memory/execution-memory.ts";
import type { Cursors, ListScope, NeighboursCursor } from "./cursors.ts";
import { type Look, type NodeName, pageBytes, placeNode, readRows } from "./look.ts";
import { fieldsOf, propertiesOfRelationship, summaryOf } from "./shown-fields.ts";
import { neighboursText } from "./statements.ts";

/** A page of neighbours as JSON. */
export interface NeighboursPage {
  readonly count: number;
  readonly pieces: readonly string[];
}

const start = { t: "", d: -1, i: "", e: "" };

const neighbourOf = (
  { project: { pk }, shown }: Look,
  { t, d, p, created, updated, l, h }: Row,
): Neighbour => {
  const time = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    relationship: setFields({
      type: String(t),
      direction: d === 0 ? ("out" as const) : ("in" as const),
      properties: propertiesOfRelationship(fieldsOf(p), shown),
      create_time: time(created),
      update_time: time(updated),
    }),
    node: summaryOf(l, fieldsOf(h), pk),
  };
};

const cursorAt = (place: number, { t, d, i, e }: Row): NeighboursCursor => ({
  place,
  t: String(t),
  d: Number(d),
  i: String(i),
  e: String(e),
});

/** Items of a page as long as they fit, each with the cursor behind it. */
interface Builder {
  readonly items: { readonly text: string; readonly cursor: NeighboursCursor }[];
  /** There are more behind the items. */
  hasMore: boolean;
  bytes: number;
}

/** Reads the relationships of one database into a page, row by row, so that memory is bounded whatever they hold. */
const readInto = async (
  builder: Builder,
  look: Look,
  database: Database,
  text: string,
  { params, place, limit }: { params: Readonly<Record<string, unknown>>; place: number; limit: number },
): Promise<void> => {
  const onRow = (row: Row): boolean => {
    const item = JSON.stringify(neighbourOf(look, row));
    const bytes = Buffer.byteLength(item) + 1;
    if (builder.items.length === limit || builder.bytes + bytes > pageBytes(look)) {
      if (builder.items.length === 0) throw new AnswerTooLarge(`a relationship of ${bytes} bytes`);
      builder.hasMore = true;
      return false;
    }
    builder.items.push({ text: item, cursor: cursorAt(place, row) });
    builder.bytes += bytes;
    return true;
  };
  try {
    await readRows(look, database, text, { ...params, size: limit + 1 - builder.items.length }, { onRow });
  } catch (error) {
    // The page ends before what could not be held.
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
 * A page of the relationships of a node that callers captured, with the nodes at their other ends. It ends early where it would grow
 * larger than the project's `page_bytes`. Relationships of a node with a location are there; those between nodes of several locations
 * are in the default database.
 *
 * @throws Problem `not_found` (404) without the node, `invalid_request` (400) for a cursor of another list; AnswerTooLarge for a
 *   single relationship that no page holds; as `Database.read`.
 */
export const listNeighbours = async (
  look: Look,
  name: NodeName,
  query: NeighboursQuery,
  cursors: Cursors<NeighboursCursor>,
): Promise<NeighboursPage> => {
  const { id, pk } = look.project;
  const scope = scopeOf(name, query);
  const { types = null, direction, limit } = query;
  const begin = cursors.read(id, scope, query.cursor);
  const { key, databases } = await placeNode(look, name);
  const builder: Builder = { items: [], hasMore: false, bytes: 0 };
  for (const [place, database] of databases.entries()) {
    if (place < (begin?.place ?? 0) || builder.hasMore) continue;
    const { t, d, i, e } = begin?.place === place ? begin : start;
    const params = { key, types, t, d, i, e };
    await readInto(builder, look, database, neighboursText(pk, direction), { params, place, limit });
  }
  const last = builder.items.at(-1);
  const next_cursor = builder.hasMore && last !== undefined ? cursors.issue(id, scope, last.cursor) : "";
  const end = JSON.stringify({ has_more: builder.hasMore, next_cursor }).slice(1);
  return {
    count: builder.items.length,
    pieces: ['{"items":[', builder.items.map(({ text }) => text).join(","), `],${end}`],
  };
};

import {
  type Element,
  nodeColumns,
  type NodeLine,
  nodeOf,
  relationshipColumns,
  type RelationshipLine,
  relationshipOf,
  shortId,
} from "./elements.ts";
import type { RawDatabase, RawRow } from "./source.ts";
import type { Pattern, Unit } from "./units.ts";

/** The elements of one kind at a moment. */
export interface MomentOf<Line> {
  /** All that were there. */
  readonly ids: ReadonlySet<string>;
  /** Those that were read at it: they change often, or are new. */
  readonly read: ReadonlyMap<string, Element<Line>>;
}

/** A unit at a moment: what was there, and how much of it was. */
export interface Moment {
  readonly at: string;
  readonly nodes: MomentOf<NodeLine>;
  readonly relationships: MomentOf<RelationshipLine>;
}

/** Which elements of a kind need not be read at the moment: other readings tell how they were. */
export type IsKnown = (id: string) => boolean;

/** Elements that are read at a moment at most: more of them take too long. */
const mostRead = 20_000;

const idsOf = async (database: RawDatabase, patterns: readonly Pattern[], name: "n" | "r") => {
  // One row for each pattern: thousands of them take several times as long.
  const found = await Promise.all(
    patterns.map(({ match, params }) =>
      database.read(`MATCH ${match} RETURN collect(elementId(${name})) AS ids`, params),
    ),
  );
  const ids = found.flat().flatMap((row) => row["ids"] as readonly string[]);
  return new Map(ids.map((id) => [shortId(id), id]));
};

const momentOf = async <Line>(
  database: RawDatabase,
  ids: ReadonlyMap<string, string>,
  text: string,
  elementOf: (row: RawRow) => Element<Line>,
  isKnown: IsKnown,
): Promise<MomentOf<Line>> => {
  const unknown = [...ids].flatMap(([id, elementId]) => (isKnown(id) ? [] : [elementId]));
  if (unknown.length > mostRead) throw new Error("too much of the project has changed");
  const read = async () => {
    const rows = await database.read(text, { ids: unknown });
    return new Map(rows.map((row) => [shortId(row["e"]), elementOf(row)]));
  };
  const [first, second] = [await read(), await read()];
  // The locks do not hold whoever writes to relationships alone; what such a one changes meanwhile is seen.
  const isSame =
    first.size === unknown.length && [...first].every(([id, { hash }]) => second.get(id)?.hash === hash);
  if (!isSame) throw new Error("the project changed while its writers were held");
  return { ids: new Set(ids.keys()), read: first };
};

const nodesText = `UNWIND $ids AS id MATCH (n) WHERE elementId(n) = id ${nodeColumns}`;
const relationshipsText = `UNWIND $ids AS id MATCH ()-[r]->() WHERE elementId(r) = id ${relationshipColumns}`;

/**
 * Reads what cannot be told from readings before and after.
 *
 * @param now is asked first: what was acknowledged before it is read.
 * @throws Error when it is too much, or the unit changed meanwhile.
 */
export const readMoment = async (
  database: RawDatabase,
  unit: Unit,
  now: () => Date,
  isKnown: { readonly nodes: IsKnown; readonly relationships: IsKnown },
): Promise<Moment> => {
  const at = now().toISOString();
  const [nodes, relationships] = await Promise.all([
    idsOf(database, unit.nodes, "n"),
    idsOf(database, unit.relationships, "r"),
  ]);
  const [ofNodes, ofRelationships] = await Promise.all([
    momentOf(database, nodes, nodesText, nodeOf, isKnown.nodes),
    momentOf(database, relationships, relationshipsText, relationshipOf, isKnown.relationships),
  ]);
  return { at, nodes: ofNodes, relationships: ofRelationships };
};

import {
  type Element,
  nodeColumns,
  type NodeLine,
  nodeOf,
  type RelationshipLine,
  relationshipOf,
  shortId,
  stampOf,
} from "./elements.ts";
import type { RawDatabase } from "./source.ts";
import type { Pattern, Unit } from "./units.ts";

/** A unit at a moment. */
export interface Moment {
  readonly at: string;
  /** When each node that was there had been written, by its number. */
  readonly stamps: ReadonlyMap<string, string | undefined>;
  /** Nodes that were read at it: they are new, were written since the reading before, or change often. */
  readonly nodes: ReadonlyMap<string, Element<NodeLine>>;
  /** All of them: they do not say when they were written. */
  readonly relationships: ReadonlyMap<string, Element<RelationshipLine>>;
}

/** True for a node of which the reading before tells how it is, going by when it was written. */
export type IsKnown = (id: string, stamp: string | undefined) => boolean;

type Columns = readonly unknown[];

/** What all patterns find. One row for each of them: thousands take several times as long. */
const foundBy = async (
  database: RawDatabase,
  patterns: readonly Pattern[],
  columns: string,
): Promise<readonly Columns[]> => {
  const rows = await Promise.all(
    patterns.map(({ match, params }) =>
      database.read(`MATCH ${match} RETURN collect([${columns}]) AS found`, params),
    ),
  );
  return rows.flat().flatMap((row) => row["found"] as readonly Columns[]);
};

const readStamps = async (database: RawDatabase, { nodes }: Unit): Promise<Moment["stamps"]> =>
  new Map(
    (await foundBy(database, nodes, "id(n), n.update_time")).map(([id, time]) => [
      String(id),
      stampOf(time).stamp,
    ]),
  );

const relationshipColumns = "id(r), id(startNode(r)), id(endNode(r)), type(r), properties(r)";

const readRelationships = async (
  database: RawDatabase,
  { relationships }: Unit,
): Promise<Moment["relationships"]> =>
  new Map(
    (await foundBy(database, relationships, relationshipColumns)).map(([e, s, t, y, p]) => [
      String(e),
      relationshipOf({ e, s, t, y, p }),
    ]),
  );

const nodesText = `UNWIND $ids AS id MATCH (n) WHERE id(n) = id ${nodeColumns}`;

const readNodes = async (database: RawDatabase, ids: readonly string[]): Promise<Moment["nodes"]> => {
  const rows = await database.read(nodesText, { ids: ids.map(BigInt) });
  return new Map(rows.map((row) => [shortId(row["e"]), nodeOf(row)]));
};

const isSame = <Line>(
  one: ReadonlyMap<string, Element<Line>>,
  other: ReadonlyMap<string, Element<Line>>,
): boolean => one.size === other.size && [...one].every(([id, { hash }]) => other.get(id)?.hash === hash);

/**
 * Reads what cannot be told from readings before and after.
 *
 * @param now is asked first: what was acknowledged before it is read.
 * @throws Error when the unit changed meanwhile.
 */
export const readMoment = async (
  database: RawDatabase,
  unit: Unit,
  now: () => Date,
  isKnown: IsKnown,
): Promise<Moment> => {
  const at = now().toISOString();
  const [stamps, relationships] = await Promise.all([
    readStamps(database, unit),
    readRelationships(database, unit),
  ]);
  const ids = [...stamps].flatMap(([id, stamp]) => (isKnown(id, stamp) ? [] : [id]));
  const nodes = await readNodes(database, ids);
  // The locks do not hold writers of relationships alone; what these change meanwhile is seen.
  const [sameNodes, sameRelationships] = await Promise.all([
    readNodes(database, ids),
    readRelationships(database, unit),
  ]);
  if (nodes.size < ids.length || !isSame(nodes, sameNodes) || !isSame(relationships, sameRelationships))
    throw new Error("the project changed while its writers were held");
  return { at, stamps, nodes, relationships };
};

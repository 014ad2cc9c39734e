import type {
  OnMissing,
  UpsertRelationship,
  UpsertRelationshipsRequest,
  UpsertResults,
} from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { lockNodesText } from "@ikg/physical";
import type { CaptureParts, Verb } from "../capture.ts";
import { relationshipConstituent } from "../locations/constituent.ts";
import { inPlaces, type Placed } from "../locations/in-places.ts";
import { relationshipNames } from "../names.ts";
import { activeProject, type Project } from "../projects.ts";
import { refuse, relationshipsRefusals } from "../refusals.ts";
import { upsertResultsOf } from "../rows.ts";
import { relationshipBatch, type RelationshipRow } from "./relationship-rows.ts";
import { existingKeysText } from "./statements.ts";
import { writeRelationships } from "./write-relationships.ts";

/** The keys of all ends, each once, sorted. */
const endsOf = (rows: readonly RelationshipRow[]): string[] =>
  [...new Set(rows.flatMap((row) => [row.sourceKey, row.targetKey]))].sort();

/** Names the ends of each row that do not exist; a row with both is not in the map. */
const missingEnds = async (
  tx: Transaction,
  rows: readonly RelationshipRow[],
): Promise<ReadonlyMap<RelationshipRow, readonly string[]>> => {
  const found = await tx.run(existingKeysText, { keys: endsOf(rows) });
  const existing = new Set(found.map((row) => row["k"]));
  const missing = new Map<RelationshipRow, readonly string[]>();
  for (const row of rows) {
    const ends = [
      ...(existing.has(row.sourceKey) ? [] : ["source: node does not exist"]),
      ...(existing.has(row.targetKey) ? [] : ["target: node does not exist"]),
    ];
    if (ends.length > 0) missing.set(row, ends);
  }
  return missing;
};

/** The refusals of a batch whose rows lack ends, in request order. */
const refusalsOf = (
  placed: readonly Placed<UpsertRelationship>[],
  rowOfItem: readonly RelationshipRow[],
  missing: ReadonlyMap<RelationshipRow, readonly string[]>,
): string[] =>
  rowOfItem.flatMap((row, index) =>
    (missing.get(row) ?? []).map((end) => `relationships[${placed[index]?.at ?? index}].${end}`),
  );

const skipHint = 'on_missing: "skip" writes the rest and tells what was left out';

/** What became of an item: its gid, or why it was left out. */
interface Written {
  readonly id: string;
  readonly missing?: readonly string[];
}

/** How long after a deadlock every batch locks its ends first. */
const contentionMs = 30_000;

/** Creates or updates relationships between nodes that exist; of those whose end is missing `on_missing` decides. */
export const upsertRelationships = ({
  graph,
  projects,
  names,
  now: clock,
}: CaptureParts): Verb<UpsertRelationshipsRequest, UpsertResults> => {
  // A relationship locks both ends, and no order of rows is an order of both: overlapping batches can deadlock.
  // Locking all ends first, in order, ends that; it costs about a quarter of a batch and makes writers of one hub
  // node wait for each other, so it is done only while batches of this process are seen to collide.
  let contendedUntil = 0;

  /** Writes the items of one database; resolves to what became of each. */
  const write = async (
    tx: Transaction,
    placed: readonly Placed<UpsertRelationship>[],
    { id, pk }: Project,
    onMissing: OnMissing,
    now: Date,
  ): Promise<readonly Written[]> => {
    const relationships = placed.map(({ item }) => item);
    const { rows, rowOfItem } = relationshipBatch(relationships, id, pk);
    const locked = now.getTime() < contendedUntil ? tx.run(lockNodesText, { keys: endsOf(rows) }) : undefined;
    for (;;) {
      const [written] = await Promise.all([writeRelationships(tx, rows, now.toISOString()), locked]);
      if (written.length === rows.length) return rowOfItem.map((row) => ({ id: row.id }));
      const stored = new Set(written);
      const lost = rows.filter((row) => !stored.has(row));
      const missing = await missingEnds(tx, lost);
      // Refused inside, so that nothing of the batch stays.
      if (onMissing !== "skip") refuse(refusalsOf(placed, rowOfItem, missing), skipHint);
      else if (missing.size === lost.length)
        return rowOfItem.map((row) => {
          const ends = missing.get(row);
          return ends === undefined ? { id: row.id } : { id: "", missing: ends };
        });
      // An end that another client made in between is no longer missing: once more.
    }
  };

  return async (projectId, body, request) => {
    const project = await activeProject(projects, projectId);
    refuse(relationshipsRefusals(body, project));
    await names.reserve(
      project,
      body.relationships.map((relationship, at) => ({
        place: `relationships[${at}]`,
        visit: relationshipNames(relationship),
      })),
    );
    const now = clock();
    const tried = new Set<unknown>();
    const { on_missing: onMissing } = body;
    const written = await inPlaces<UpsertRelationship, Written>(graph, project, request, {
      items: body.relationships,
      constituentOf: relationshipConstituent(project, body.use_global_db),
      refusals:
        onMissing === "skip"
          ? undefined
          : async (tx, placed) => {
              const relationships = placed.map(({ item }) => item);
              const { rows, rowOfItem } = relationshipBatch(relationships, projectId, project.pk);
              return refusalsOf(placed, rowOfItem, await missingEnds(tx, rows));
            },
      hint: skipHint,
      work: (tx, placed) => {
        // A second try: another batch was in the way.
        if (tried.has(placed)) contendedUntil = now.getTime() + contentionMs;
        tried.add(placed);
        return write(tx, placed, project, onMissing, now);
      },
    });
    return upsertResultsOf(
      written.map(({ id }) => id),
      onMissing,
      written.flatMap(({ missing }, index) =>
        missing === undefined ? [] : [{ index, reason: missing.join("; ") }],
      ),
    );
  };
};

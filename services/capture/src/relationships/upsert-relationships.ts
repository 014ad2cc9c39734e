import type {
  OnMissing,
  UpsertRelationship,
  UpsertRelationshipsRequest,
  UpsertResults,
} from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { lockNodesText } from "@ikg/physical";
import type { CaptureParts, Verb } from "../batches/verb.ts";
import { relationshipConstituent } from "../projects/constituent.ts";
import { writeByDatabase, type IndexedItem } from "../batches/write-by-database.ts";
import { relationshipNames } from "../batches/names.ts";
import { activeProject, type Project } from "../projects/projects.ts";
import { refuse, relationshipsRefusals } from "../batches/refusals.ts";
import { upsertResultsOf } from "../batches/rows.ts";
import { endsOf, missingEnds } from "./missing-ends.ts";
import { relationshipBatch, type RelationshipRow } from "./relationship-rows.ts";
import { writeRelationships } from "./write-relationships.ts";

/** The refusals of a batch whose rows lack ends, in request order. */
const refusalsOf = (
  indexed: readonly IndexedItem<UpsertRelationship>[],
  rowOfItem: readonly RelationshipRow[],
  missing: ReadonlyMap<RelationshipRow, readonly string[]>,
): string[] =>
  rowOfItem.flatMap((row, index) =>
    (missing.get(row) ?? []).map((end) => `relationships[${indexed[index]?.at ?? index}].${end}`),
  );

const skipHint = 'on_missing: "skip" writes the rest and lists what was skipped';

/** The outcome of an item: its gid, or the ends without which it was left out. */
interface Written {
  readonly id: string;
  readonly missing?: readonly string[];
}

/** The items of one database, and what decides about those that lack an end. */
interface Batch {
  readonly indexed: readonly IndexedItem<UpsertRelationship>[];
  readonly project: Project;
  readonly onMissing: OnMissing;
}

const rowsOf = ({ indexed, project }: Batch) =>
  relationshipBatch(
    indexed.map(({ item }) => item),
    project.id,
    project.pk,
  );

/** Writes the items of one database; resolves to the outcome of each. */
const writeBatch = async (
  tx: Transaction,
  batch: Batch,
  now: Date,
  locksFirst: boolean,
): Promise<readonly Written[]> => {
  const { rows, rowOfItem } = rowsOf(batch);
  const locked = locksFirst ? tx.run(lockNodesText, { keys: endsOf(rows) }) : undefined;
  for (;;) {
    const [written] = await Promise.all([writeRelationships(tx, rows, now.toISOString()), locked]);
    if (written.length === rows.length) return rowOfItem.map((row) => ({ id: row.id }));
    const stored = new Set(written);
    const lost = rows.filter((row) => !stored.has(row));
    const missing = await missingEnds(tx, lost);
    // Rejected inside the transaction, so that nothing of the batch stays.
    if (batch.onMissing !== "skip") refuse(refusalsOf(batch.indexed, rowOfItem, missing), skipHint);
    else if (missing.size === lost.length)
      return rowOfItem.map((row) => {
        const ends = missing.get(row);
        return ends === undefined ? { id: row.id } : { id: "", missing: ends };
      });
    // Another client created a missing end in between: once more.
  }
};

/** Rejects items whose ends are missing, before anything is written to several databases. */
const missingEndRefusals = async (tx: Transaction, batch: Batch): Promise<string[]> => {
  const { rows, rowOfItem } = rowsOf(batch);
  return refusalsOf(batch.indexed, rowOfItem, await missingEnds(tx, rows));
};

const resultsOf = (written: readonly Written[], onMissing: OnMissing): UpsertResults =>
  upsertResultsOf(
    written.map(({ id }) => id),
    onMissing,
    written.flatMap(({ missing }, index) =>
      missing === undefined ? [] : [{ index, reason: missing.join("; ") }],
    ),
  );

/** How long after a deadlock every batch locks its ends first. */
const contentionMs = 30_000;

/** Creates or updates relationships between nodes that exist; `on_missing` decides about those whose end is missing. */
export const upsertRelationships = ({
  graph,
  projects,
  names,
  now: clock,
}: CaptureParts): Verb<UpsertRelationshipsRequest, UpsertResults> => {
  // A relationship locks both ends, and no order of rows is an order of both: overlapping batches can deadlock.
  // Locking all ends first, in order, prevents that; it costs about a quarter of a batch and makes writers of one hub
  // node wait for each other, so it is done only while batches of this process are seen to collide.
  let contendedUntil = 0;

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
    const { on_missing: onMissing } = body;
    const attempted = new Set<unknown>();
    const written = await writeByDatabase<UpsertRelationship, Written>(graph, project, request, {
      items: body.relationships,
      constituentOf: relationshipConstituent(project, body.use_global_db),
      refusals:
        onMissing === "skip"
          ? undefined
          : (tx, indexed) => missingEndRefusals(tx, { indexed, project, onMissing }),
      hint: skipHint,
      work: (tx, indexed) => {
        // A second attempt: the first one met another batch.
        if (attempted.has(indexed)) contendedUntil = now.getTime() + contentionMs;
        attempted.add(indexed);
        return writeBatch(tx, { indexed, project, onMissing }, now, now.getTime() < contendedUntil);
      },
    });
    return resultsOf(written, onMissing);
  };
};

import type { UpsertRelationshipsRequest } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { CaptureParts, Verb } from "../capture.ts";
import { activeProject } from "../projects.ts";
import { refuse, relationshipsRefusals } from "../refusals.ts";
import { inOneTransaction } from "../transaction.ts";
import { relationshipBatch, type RelationshipRow } from "./relationship-rows.ts";
import { existingKeysText, lockNodesText, upsertRelationshipsText } from "./statements.ts";

/** Writes the rows of one type; resolves to the number of rows whose two ends were there. */
const writeType = async (
  tx: Transaction,
  type: string,
  rows: readonly RelationshipRow[],
  now: string,
): Promise<number> => {
  const written = await tx.run(upsertRelationshipsText(type), {
    rows: rows.map((row, i) => ({
      i,
      a: row.sourceKey,
      b: row.targetKey,
      d: row.discriminator,
      p: row.fields,
    })),
    now,
  });
  return written.length;
};

/** The keys of all ends, each once, sorted. */
const endsOf = (rows: readonly RelationshipRow[]): string[] =>
  [...new Set(rows.flatMap((row) => [row.sourceKey, row.targetKey]))].sort();

/** Names every end that does not exist, in request order. */
const missingEnds = async (tx: Transaction, rowOfItem: readonly RelationshipRow[]): Promise<string[]> => {
  const keys = endsOf(rowOfItem);
  const found = await tx.run(existingKeysText, { keys });
  const existing = new Set(found.map((row) => row["k"]));
  return rowOfItem.flatMap((row, at) => [
    ...(existing.has(row.sourceKey) ? [] : [`relationships[${at}].source: node does not exist`]),
    ...(existing.has(row.targetKey) ? [] : [`relationships[${at}].target: node does not exist`]),
  ]);
};

/** How long after a deadlock every batch locks its ends first. */
const contentionMs = 30_000;

/** Creates or updates relationships between nodes that exist (api specification 4.4). */
export const upsertRelationships = ({
  graph,
  projects,
  now: clock,
}: CaptureParts): Verb<UpsertRelationshipsRequest> => {
  // A relationship locks both ends, and no order of rows is an order of both: overlapping batches can deadlock.
  // Locking all ends first, in order, ends that; it costs about a quarter of a batch and makes writers of one hub
  // node wait for each other, so it is done only while batches of this process are seen to collide.
  let contendedUntil = 0;

  return async (projectId, body, request) => {
    const project = await activeProject(projects, projectId);
    refuse(relationshipsRefusals(body));
    const { rows, rowOfItem } = relationshipBatch(body.relationships, projectId, project.pk);
    const byType = [...Map.groupBy(rows, (row) => row.type)];
    const now = clock();
    let tries = 0;
    await inOneTransaction(graph, project, request, async (tx) => {
      if (tries++ > 0) contendedUntil = now.getTime() + contentionMs;
      const locked =
        now.getTime() < contendedUntil ? tx.run(lockNodesText, { keys: endsOf(rows) }) : undefined;
      for (;;) {
        const [written] = await Promise.all([
          Promise.all(byType.map(([type, ofType]) => writeType(tx, type, ofType, now.toISOString()))),
          locked,
        ]);
        if (written.reduce((sum, count) => sum + count, 0) === rows.length) return;
        // Refused inside, so that nothing of the batch stays (README decision 3). An end that another client
        // made in between is no longer missing: then once more.
        refuse(await missingEnds(tx, rowOfItem));
      }
    });
    return { results: rowOfItem.map((row) => ({ id: row.id })) };
  };
};

import type { UpsertRelationship, UpsertRelationshipsRequest } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { lockNodesText } from "@ikg/physical";
import type { CaptureParts, Verb } from "../capture.ts";
import { relationshipConstituent } from "../locations/constituent.ts";
import { inPlaces, type Placed } from "../locations/in-places.ts";
import { relationshipNames } from "../names.ts";
import { activeProject, type Project } from "../projects.ts";
import { refuse, relationshipsRefusals } from "../refusals.ts";
import { resultsOf } from "../rows.ts";
import { relationshipBatch, type RelationshipRow } from "./relationship-rows.ts";
import { existingKeysText } from "./statements.ts";
import { writeRelationships } from "./write-relationships.ts";

/** The keys of all ends, each once, sorted. */
const endsOf = (rows: readonly RelationshipRow[]): string[] =>
  [...new Set(rows.flatMap((row) => [row.sourceKey, row.targetKey]))].sort();

/** Names every end that does not exist, in request order. */
const missingEnds = async (
  tx: Transaction,
  placed: readonly Placed<UpsertRelationship>[],
  rowOfItem: readonly RelationshipRow[],
): Promise<string[]> => {
  const found = await tx.run(existingKeysText, { keys: endsOf(rowOfItem) });
  const existing = new Set(found.map((row) => row["k"]));
  return rowOfItem.flatMap((row, index) => {
    const path = `relationships[${placed[index]?.at ?? index}]`;
    return [
      ...(existing.has(row.sourceKey) ? [] : [`${path}.source: node does not exist`]),
      ...(existing.has(row.targetKey) ? [] : [`${path}.target: node does not exist`]),
    ];
  });
};

/** How long after a deadlock every batch locks its ends first. */
const contentionMs = 30_000;

/** Creates or updates relationships between nodes that exist (api specification 4.4). */
export const upsertRelationships = ({
  graph,
  projects,
  names,
  now: clock,
}: CaptureParts): Verb<UpsertRelationshipsRequest> => {
  // A relationship locks both ends, and no order of rows is an order of both: overlapping batches can deadlock.
  // Locking all ends first, in order, ends that; it costs about a quarter of a batch and makes writers of one hub
  // node wait for each other, so it is done only while batches of this process are seen to collide.
  let contendedUntil = 0;

  /** Writes all items of one database; resolves to the gid of each. */
  const write = async (
    tx: Transaction,
    placed: readonly Placed<UpsertRelationship>[],
    { id, pk }: Project,
    now: Date,
  ): Promise<readonly string[]> => {
    const relationships = placed.map(({ item }) => item);
    const { rows, rowOfItem } = relationshipBatch(relationships, id, pk);
    const locked = now.getTime() < contendedUntil ? tx.run(lockNodesText, { keys: endsOf(rows) }) : undefined;
    for (;;) {
      const [written] = await Promise.all([writeRelationships(tx, rows, now.toISOString()), locked]);
      if (written.length === rows.length) return rowOfItem.map((row) => row.id);
      // Refused inside, so that nothing of the batch stays (README decision 3). An end that another client
      // made in between is no longer missing: then once more.
      refuse(await missingEnds(tx, placed, rowOfItem));
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
    const ids = await inPlaces<UpsertRelationship, string>(graph, project, request, {
      items: body.relationships,
      constituentOf: relationshipConstituent(project, body.use_global_db),
      refusals: (tx, placed) => {
        const relationships = placed.map(({ item }) => item);
        return missingEnds(tx, placed, relationshipBatch(relationships, projectId, project.pk).rowOfItem);
      },
      work: (tx, placed) => {
        // A second try: another batch was in the way.
        if (tried.has(placed)) contendedUntil = now.getTime() + contentionMs;
        tried.add(placed);
        return write(tx, placed, project, now);
      },
    });
    return resultsOf(ids);
  };
};

import { decompressContent } from "@ikg/catalog";
import type { ChangeableCollection, ChangeRecord, Gid, RecordTransition } from "@ikg/contracts";
import { isGid, Problem } from "@ikg/contracts";
import { withTimeoutAsUnavailable } from "@ikg/graph";
import { changeEntryLabel, changeLabel, entryOf, recordLabel, projectPrefix } from "@ikg/physical";
import type { Reservation } from "@ikg/service";
import { type Data, withoutNulls } from "../records/record.ts";
import { type CallerContext, requireReach, statementOptions, type Store } from "../records/store.ts";

/** A transition with what the record was before and after it, as a `put` takes it. */
export interface TransitionWithTexts extends RecordTransition {
  readonly before?: Data;
  readonly after?: Data;
}

/** A change record with its texts. */
export interface ChangeWithTexts extends Omit<ChangeRecord, "changes"> {
  readonly changes: readonly TransitionWithTexts[];
}

const parts = [
  "{collection: e.collection, id: e.record_id, name: e.name, op: e.op,",
  "from_version: e.from_version, to_version: e.to_version",
].join(" ");
const header = "c {.id, .project_id, .create_time, .created_by, .message, .reverts}";

// A row without a change record says that the project exists and has none.
const pageText = [
  `MATCH (p:${recordLabel} {id: $project}) WHERE p.kind = 'project' AND p.organization_id = $organization`,
  `CALL (p) { OPTIONAL MATCH (c:${changeLabel}) WHERE c.key STARTS WITH $prefix AND c.key < $before`,
  "RETURN c ORDER BY c.key DESC LIMIT $limit }",
  `CALL (c) { MATCH (e:${changeEntryLabel})-[:${entryOf}]->(c) WITH e ORDER BY e.index RETURN collect(${parts}}) AS changes }`,
  `RETURN CASE WHEN c IS NULL THEN null ELSE ${header} END AS change, c.key AS key, changes ORDER BY key DESC`,
].join(" ");

const oneText = [
  `MATCH (c:${changeLabel} {id: $id}) WHERE c.organization_id = $organization`,
  `CALL (c) { MATCH (e:${changeEntryLabel})-[:${entryOf}]->(c) WITH e ORDER BY e.index`,
  `RETURN collect(${parts}, content: e.content}) AS changes, sum(e.bytes) AS bytes }`,
  `RETURN ${header} AS change, changes, bytes`,
].join(" ");

/** A change record from its row; only this service writes them. */
const changeRecordOf = (change: unknown, changes: unknown): ChangeRecord =>
  ({ ...withoutNulls(change as Data), changes }) as unknown as ChangeRecord;

export interface ChangePage {
  readonly items: readonly ChangeRecord[];
  /** The key of the last one, when there are more. */
  readonly last: string | undefined;
}

/**
 * Change records of a project, newest first.
 *
 * @param after the key of the last one of the page before.
 * @throws Problem `not_found` when the caller's organization has no such project.
 */
export const listChanges = async (
  { databaseOf }: Store,
  projectId: Gid,
  after: string | undefined,
  limit: number,
  caller: CallerContext,
): Promise<ChangePage> => {
  requireReach(caller, projectId);
  const prefix = projectPrefix(projectId);
  const rows = await withTimeoutAsUnavailable(() =>
    databaseOf(caller).read(
      pageText,
      {
        project: projectId,
        organization: caller.organizationId,
        prefix,
        // Keys are hexadecimal behind the prefix.
        before: after === undefined ? `${prefix}~` : `${prefix}${after}`,
        limit: limit + 1,
      },
      statementOptions(caller),
    ),
  );
  if (rows.length === 0) throw new Problem("not_found");
  const found = rows.filter((row) => row["change"] !== null);
  const shown = found.slice(0, limit);
  const last = shown.at(-1)?.["key"];
  return {
    items: shown.map((row) => changeRecordOf(row["change"], row["changes"])),
    last: found.length > limit && typeof last === "string" ? last.slice(prefix.length) : undefined,
  };
};

/**
 * One change record with its texts, also of records that are gone.
 *
 * @returns also the memory of a large one, to be released once it was sent.
 * @throws Problem `not_found` when the caller's organization has none of this id; `unprocessable` where the texts are longer than
 *   an answer may be.
 */
export const readChange = async (
  { databaseOf, lists, listBytes }: Store,
  id: string,
  caller: CallerContext,
): Promise<{ readonly change: ChangeWithTexts; readonly memory: Reservation | undefined }> => {
  if (!isGid(id)) throw new Problem("not_found");
  const { result: rows, memory } = await withTimeoutAsUnavailable(() =>
    lists.read(caller.organizationId, (responseBudget) =>
      databaseOf(caller).read(
        oneText,
        { id, organization: caller.organizationId },
        { ...statementOptions(caller), responseBudget },
      ),
    ),
  );
  try {
    const [row] = rows;
    if (row === undefined) throw new Problem("not_found");
    const header = changeRecordOf(row["change"], []);
    requireReach(caller, header.project_id);
    if (Number(row["bytes"]) > listBytes)
      throw new Problem("unprocessable", {
        errors: [`id: the texts of this change are longer than ${listBytes} bytes (limit LIST_BYTES)`],
      });
    const entries = row["changes"] as readonly (RecordTransition & { readonly content: unknown })[];
    const changes = await Promise.all(
      entries.map(async ({ content, ...entry }) => ({ ...entry, ...(await decompressContent(content)) })),
    );
    return { change: { ...header, changes }, memory };
  } catch (error) {
    memory?.release();
    throw error;
  }
};

/** A version of a record as its change record tells of it. */
export interface KnownVersion {
  readonly version: number;
  readonly time: string;
  readonly by: string;
  readonly changeId: Gid;
}

const entriesText = [
  `MATCH (e:${changeEntryLabel} {record_id: $id})-[:${entryOf}]->(c:${changeLabel})`,
  "WHERE c.organization_id = $organization AND e.collection = $collection",
  "AND e.to_version > 0 AND e.to_version < $before",
  "RETURN e.to_version AS version, c.create_time AS time, c.created_by AS by, c.id AS change",
  "ORDER BY version DESC LIMIT $limit",
].join(" ");

/** Versions of a record that change records know, the newest first, whether the record is still there or not. */
export const versionsInChanges = async (
  { databaseOf }: Store,
  collection: ChangeableCollection,
  id: Gid,
  before: number,
  limit: number,
  caller: CallerContext,
): Promise<readonly KnownVersion[]> => {
  const params = { id, organization: caller.organizationId, collection, before, limit };
  const rows = await withTimeoutAsUnavailable(() =>
    databaseOf(caller).read(entriesText, params, statementOptions(caller)),
  );
  return rows.map((row) => ({
    version: Number(row["version"]),
    time: String(row["time"]),
    by: String(row["by"]),
    changeId: row["change"] as Gid, // written by this service
  }));
};

const contentText = [
  `MATCH (e:${changeEntryLabel} {record_id: $id})-[:${entryOf}]->(c:${changeLabel})`,
  "WHERE c.organization_id = $organization AND e.collection = $collection AND e.to_version = $version",
  "RETURN e.content AS content LIMIT 1",
].join(" ");

/** What a version of a record was, as a change record keeps it. */
export const versionInChanges = async (
  { databaseOf }: Store,
  collection: ChangeableCollection,
  id: Gid,
  version: number,
  caller: CallerContext,
): Promise<Data | undefined> => {
  const params = { id, organization: caller.organizationId, collection, version };
  const [row] = await withTimeoutAsUnavailable(() =>
    databaseOf(caller).read(contentText, params, statementOptions(caller)),
  );
  return row === undefined ? undefined : (await decompressContent(row["content"])).after;
};

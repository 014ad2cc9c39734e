import { type Gid, importLimits, type ImportStatus, stringOrUndefined } from "@ikg/contracts";
import type { Database, Row } from "@ikg/graph";
import { importLabel, openImportLabel, recordLabel, takeLock } from "@ikg/physical";

const options = { timeoutMs: 10_000 };

/** The record of an import in the shared database. */
export interface ImportRecord {
  readonly id: Gid;
  readonly projectId: Gid;
  /** Key of the project when the import was created. */
  readonly pk: string;
  /** `graphIdOf` the project when the import was created: its rows are staged there. Undefined in records of earlier builds. */
  readonly graph: string | undefined;
  readonly status: ImportStatus;
  readonly createTime: string;
  readonly startTime: string | undefined;
  readonly endTime: string | undefined;
  /** Time of the upload's last heartbeat. */
  readonly heartbeatTime: string;
  readonly reason: string | undefined;
  readonly lines: number;
  readonly nodes: number;
  readonly relationships: number;
  /** Lines rejected during the upload; later ones are rejected when their rows are written. */
  readonly rejectedAtUpload: number;
  /** Most rejected lines that are kept of it. */
  readonly rejectionsKept: number;
  /** Undefined until closing begins; from then on only the numbers of rejected lines may change. */
  readonly outcome: Outcome | undefined;
}

/** The outcome of an import's rows. */
export interface Outcome {
  readonly nodesWritten: number;
  readonly relationshipsWritten: number;
  readonly rejected: number;
  /** Rejected lines that are not kept. */
  readonly notKept: number;
}

/** Counts of an upload. */
export interface UploadCounts {
  readonly lines: number;
  readonly nodes: number;
  readonly relationships: number;
  readonly rejectedAtUpload: number;
  /** Compressed bytes of the rows that are staged. */
  readonly storedBytes: number;
}

const recordOf = (row: Row): ImportRecord => {
  const fields = row["record"] as Row; // the one column of every statement here
  const number = (name: string): number => Number(fields[name] ?? 0);
  return {
    id: String(fields["id"]) as Gid, // written below
    projectId: String(fields["project_id"]) as Gid, // written below
    pk: String(fields["pk"]),
    graph: stringOrUndefined(fields["graph"]),
    status: String(fields["status"]) as ImportStatus, // written below
    createTime: String(fields["create_time"]),
    startTime: stringOrUndefined(fields["start_time"]),
    endTime: stringOrUndefined(fields["end_time"]),
    heartbeatTime: String(fields["heard_time"]),
    reason: stringOrUndefined(fields["reason"]),
    lines: number("lines"),
    nodes: number("nodes"),
    relationships: number("relationships"),
    rejectedAtUpload: number("refused"),
    rejectionsKept: Number(fields["rejections_kept"] ?? importLimits.rejectionsKept),
    outcome:
      fields["rejected"] === undefined
        ? undefined
        : {
            nodesWritten: number("nodes_written"),
            relationshipsWritten: number("relationships_written"),
            rejected: number("rejected"),
            notKept: number("not_kept"),
          },
  };
};

const one = `MATCH (i:${importLabel} {id: $id})`;
/** Locked before its status is looked at: an import that is cancelled in that moment must not be set to run again. */
const locked = `${one} ${takeLock("i")} WITH i`;
const returnRecord = "RETURN properties(i) AS record";
const unfinished = "i.status IN ['receiving', 'queued', 'running']";

/** The record of the project is locked, so that two processes cannot both take the last place. */
const createText = `OPTIONAL MATCH (p:${recordLabel} {id: $fields.project_id})
FOREACH (each IN CASE WHEN p IS NULL THEN [] ELSE [p] END | ${takeLock("each")})
WITH count(*) AS one
OPTIONAL MATCH (w:${importLabel} {project_id: $fields.project_id}) WHERE w.status IN ['receiving', 'queued', 'running']
WITH count(w) AS waiting WHERE waiting < $limit
CREATE (i:${importLabel}:${openImportLabel}) SET i = $fields
RETURN i.id AS id`;
const heartbeatText = `${locked} WHERE i.status = 'receiving' SET i += $received, i.heard_time = $now RETURN i.id AS id`;
const queueText = `${locked} WHERE i.status = 'receiving' SET i += $received, i.status = 'queued' ${returnRecord}`;
const removeText = `${one} DELETE i`;
const discardText = `${locked} WHERE i.status <> 'cancelled' DELETE i`;
const readText = `${one} ${returnRecord}`;
const findText = `${one} WHERE i.project_id = $project ${returnRecord}`;
const listText = `MATCH (i:${importLabel} {project_id: $project}) WITH i ORDER BY i.create_time DESC, i.id DESC LIMIT $limit ${returnRecord}`;
const startText = `${locked} WHERE i.status IN ['queued', 'running']
SET i.status = 'running', i.start_time = coalesce(i.start_time, $now) ${returnRecord}`;
const endText = `${locked} WHERE ${unfinished} SET i += $fields ${returnRecord}`;
/** An outcome that was stored before is kept. */
const settleText = `${locked}
SET i.nodes_written = coalesce(i.nodes_written, $outcome.nodes_written),
  i.relationships_written = coalesce(i.relationships_written, $outcome.relationships_written),
  i.rejected = coalesce(i.rejected, $outcome.rejected), i.not_kept = coalesce(i.not_kept, $outcome.not_kept)
${returnRecord}`;
const closeText = `${one} SET i += $outcome REMOVE i:${openImportLabel}`;
const nextText = `MATCH (i:${importLabel} {project_id: $project}) WHERE i.status IN ['queued', 'running']
WITH i ORDER BY i.create_time, i.id LIMIT 1 ${returnRecord}`;
const waitingText = `MATCH (i:${openImportLabel}) WHERE i.status IN ['queued', 'running']
RETURN DISTINCT i.project_id AS project`;
/** Rows of an import lie there until it is closed. */
const stored = "sum(coalesce(i.stored_bytes, 0)) AS bytes";
const storedText = `MATCH (i:${importLabel} {project_id: $project}) WHERE i:${openImportLabel} RETURN ${stored}`;
const storedByProjectText = `MATCH (i:${openImportLabel}) RETURN i.project_id AS project, ${stored}`;
const openText = `MATCH (i:${openImportLabel}) WHERE NOT i.status IN ['queued', 'running']
${returnRecord} ORDER BY i.create_time LIMIT 1000`;
const surplusText = `MATCH (i:${importLabel} {project_id: $project}) WHERE NOT i:${openImportLabel}
WITH i ORDER BY i.end_time DESC, i.id DESC SKIP $limit LIMIT 100 ${returnRecord}`;
const expiredText = `MATCH (i:${importLabel}) WHERE i.end_time < $before AND NOT i:${openImportLabel} ${returnRecord} LIMIT 100`;

/** Counts of an upload, as properties of the record. */
const countFields = ({ lines, nodes, relationships, rejectedAtUpload, storedBytes }: UploadCounts): Row => ({
  lines,
  nodes,
  relationships,
  refused: rejectedAtUpload,
  stored_bytes: storedBytes,
});

const outcomeFields = ({ nodesWritten, relationshipsWritten, rejected, notKept }: Outcome): Row => ({
  nodes_written: nodesWritten,
  relationships_written: relationshipsWritten,
  rejected,
  not_kept: notKept,
});

/** Records of imports. Times are RFC 3339 in UTC. */
export interface ImportRecords {
  /** False when the project has `limit` imports that have not ended. */
  create(
    record: Pick<ImportRecord, "id" | "projectId" | "pk" | "graph" | "rejectionsKept">,
    limit: number,
    now: string,
  ): Promise<boolean>;
  /** Stores the time of a heartbeat and the counts so far. False when the import was cancelled. */
  heartbeat(id: Gid, counts: UploadCounts, now: string): Promise<boolean>;
  /** All lines are staged. Undefined when the import was cancelled. */
  queue(id: Gid, counts: UploadCounts): Promise<ImportRecord | undefined>;
  remove(id: Gid): Promise<void>;
  /** Removes the record of an upload that failed; one that was cancelled stays, so that its status can be read. */
  discard(id: Gid): Promise<void>;
  read(id: Gid): Promise<ImportRecord | undefined>;
  find(id: string, project: Gid): Promise<ImportRecord | undefined>;
  /** Newest first. */
  list(project: Gid, limit: number): Promise<readonly ImportRecord[]>;
  /** A worker begins or continues. Undefined when the import must no longer be written. */
  start(id: Gid, now: string): Promise<ImportRecord | undefined>;
  /** Ends an import; its staged rows are removed by closing it. Undefined when it had ended before. */
  end(
    id: Gid,
    how: { readonly status: "done" | "cancelled" | "failed"; readonly reason?: string; readonly now: string },
  ): Promise<ImportRecord | undefined>;
  /**
   * Stores the outcome of an ended import whose staged rows are about to be removed, unless it has one. Returns the record;
   * undefined when it is removed.
   */
  settle(id: Gid, outcome: Outcome): Promise<ImportRecord | undefined>;
  /** Stores the final outcome of an ended import whose staged rows are removed. */
  close(id: Gid, outcome: Outcome): Promise<void>;
  /** The oldest import of a project that is to be written. */
  next(project: Gid): Promise<ImportRecord | undefined>;
  /** Projects with imports that are to be written. */
  waiting(): Promise<readonly Gid[]>;
  /** Compressed bytes that the imports of a project keep until they are closed. */
  storedBytes(project: Gid): Promise<number>;
  /** The same of every project that has some. */
  storedBytesOfProjects(): Promise<ReadonlyMap<string, number>>;
  /** Imports whose lines are arriving, and ended ones that are not closed yet. */
  open(): Promise<readonly ImportRecord[]>;
  /** Some ended imports of a project besides the newest ones. @param limit how many stay. */
  surplus(project: Gid, limit: number): Promise<readonly ImportRecord[]>;
  /** Imports that ended before a time. */
  expired(before: string): Promise<readonly ImportRecord[]>;
}

/** @param database the shared one: a worker looks for work in one database. */
export const importRecords = (database: Database): ImportRecords => {
  const write = async (statement: string, params: Row): Promise<ImportRecord | undefined> => {
    const [row] = await database.write((tx) => tx.run(statement, params), options);
    return row && recordOf(row);
  };
  const run = async (statement: string, params: Row): Promise<boolean> =>
    (await database.write((tx) => tx.run(statement, params), options)).length > 0;
  const read = async (statement: string, params: Row): Promise<readonly ImportRecord[]> =>
    (await database.read(statement, params, options)).map(recordOf);
  return {
    create: ({ id, projectId, pk, graph, rejectionsKept }, limit, now) => {
      const fields = {
        id,
        project_id: projectId,
        pk,
        ...(graph === undefined ? {} : { graph }),
        status: "receiving",
        rejections_kept: rejectionsKept,
        create_time: now,
        heard_time: now,
      };
      return run(createText, { fields, limit });
    },
    heartbeat: (id, counts, now) => run(heartbeatText, { id, received: countFields(counts), now }),
    queue: (id, counts) => write(queueText, { id, received: countFields(counts) }),
    remove: async (id) => void (await run(removeText, { id })),
    discard: async (id) => void (await run(discardText, { id })),
    read: async (id) => (await read(readText, { id }))[0],
    find: async (id, project) => (await read(findText, { id, project }))[0],
    list: (project, limit) => read(listText, { project, limit }),
    start: (id, now) => write(startText, { id, now }),
    end: (id, { status, reason = null, now }: { status: string; reason?: string | null; now: string }) =>
      write(endText, { id, fields: { status, reason, end_time: now } }),
    settle: (id, outcome) => write(settleText, { id, outcome: outcomeFields(outcome) }),
    close: async (id, outcome) => void (await run(closeText, { id, outcome: outcomeFields(outcome) })),
    next: async (project) => (await read(nextText, { project }))[0],
    waiting: async () =>
      (await database.read(waitingText, {}, options)).map((row) => String(row["project"]) as Gid), // written above
    storedBytes: async (project) =>
      Number((await database.read(storedText, { project }, options))[0]?.["bytes"] ?? 0),
    storedBytesOfProjects: async () =>
      new Map(
        (await database.read(storedByProjectText, {}, options)).map((row) => [
          String(row["project"]),
          Number(row["bytes"]),
        ]),
      ),
    open: () => read(openText, {}),
    surplus: (project, limit) => read(surplusText, { project, limit }),
    expired: (before) => read(expiredText, { before }),
  };
};

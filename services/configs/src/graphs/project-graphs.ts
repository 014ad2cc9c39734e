import { setTimeout as wait } from "node:timers/promises";
import type { Outbox } from "@ikg/announcements";
import type { Gid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { graphOutOfSyncLabel, lookUpProperties } from "@ikg/physical";
import type { Log } from "../log.ts";
import { projection, recordOf, type StoredRecord } from "../records/record.ts";
import type { Store } from "../records/store.ts";
import type { RemovedGraph } from "../records/removal-note.ts";
import { provision } from "./provision.ts";
import { type GraphRemovals, openGraphRemovals } from "./removals.ts";
import { followSystemNodes } from "./system-nodes.ts";

/** Brings the graphs of projects in line with committed changes of records. */
export interface ProjectGraphs {
  /**
   * Prepares the database of a project, or writes the system nodes of a record that was created or updated to the project's
   * own database. Waits for the attempt of a project, and a few seconds for nodes; failures are retried in the background.
   *
   * @returns the record as it is then.
   */
  settle(record: StoredRecord): Promise<StoredRecord>;
  /** Removes the system nodes of these removed records of one project, where that is not done yet. */
  followRemoved(records: readonly StoredRecord[]): Promise<void>;
  /** Removes the graph of a deleted project; waits a few seconds, a large graph is removed in the background. */
  remove(removed: RemovedGraph): Promise<void>;
  /** Continues unfinished work, now and at intervals. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ProjectGraphsParts {
  readonly graph: Graph;
  readonly store: Store;
  readonly outbox: Pick<Outbox, "deliver">;
  readonly log: Log;
  /** Milliseconds between two passes over unfinished graphs. */
  readonly passMs?: number;
}

/** How long a response waits for work that continues without it. */
const timeoutMs = 5_000;
/** An attempt takes 10 s; an older one was abandoned. */
const abandonedMs = 30_000;

const { ikgStatus, graphAttempt } = lookUpProperties;

// Any fifty of them: databases that never answer must not block the others.
const outOfSyncText = [
  `MATCH (p:${graphOutOfSyncLabel}) WHERE p.${ikgStatus} IN ['ACTIVE', 'PENDING']`,
  `RETURN ${projection("p", false)} AS record ORDER BY rand() LIMIT 50`,
].join(" ");

/** Waits a few seconds for work that continues in the background, whatever its outcome. */
const waitBriefly = async (work: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: over.signal, ref: false });
  await Promise.race([work, late.catch(() => undefined)]).catch(() => undefined);
  over.abort();
};

/** True when the attempt that the record waits for was abandoned. */
const isAbandoned = ({ columns }: StoredRecord, now: Date): boolean => {
  const [begun = ""] = String(columns[graphAttempt]).split("/");
  return now.getTime() - Date.parse(begun) > abandonedMs;
};

/** Parts of the reconciler that all its functions share. */
interface ReconcilerContext extends ProjectGraphsParts {
  readonly removals: GraphRemovals;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

/** Writes the system nodes of a project to its own database; a failure is logged and retried later. */
const followNodes = async ({ graph, store, log, signal }: ReconcilerContext, id: Gid): Promise<void> => {
  const { keys, collections } = store;
  try {
    await followSystemNodes({ graph, keys, collections }, id);
  } catch (error) {
    if (!signal.aborted)
      log.warn("system nodes cannot be written to a project's own database; retrying", {
        project: id,
        error,
      });
  }
};

const hasNode = ({ store }: ReconcilerContext, { kind }: StoredRecord): boolean =>
  store.collections.get(kind)?.systemNode !== undefined;

/** Prepares the database of a project. @returns the record as it is then */
const prepare = async (parts: ReconcilerContext, project: StoredRecord): Promise<StoredRecord> => {
  const { graph, store, outbox, log } = parts;
  try {
    const outcome = await provision({ graph, keys: store.keys }, project);
    if (outcome === undefined) return project;
    await outbox.deliver(outcome.announcements);
    await waitBriefly(followNodes(parts, project.id));
    return outcome.record;
  } catch (error) {
    log.warn("a project's own database cannot be prepared; retrying", {
      project: project.id,
      error,
    });
    return project;
  }
};

/** One pass over unfinished graphs. */
const reconcile = async (parts: ReconcilerContext): Promise<void> => {
  const { graph, store, removals } = parts;
  const rows = await graph.shared.read(outOfSyncText, {}, { timeoutMs: 10_000 });
  const behind = rows.map((row) => recordOf(row["record"]));
  await Promise.all(
    behind.map(async (project) => {
      if (project.columns[ikgStatus] === "ACTIVE") await followNodes(parts, project.id);
      else if (isAbandoned(project, store.now())) await prepare(parts, project);
    }),
  );
  await removals.resume();
};

const keepReconciling = async (parts: ReconcilerContext): Promise<void> => {
  const { log, passMs = 15_000, signal } = parts;
  while (!signal.aborted) {
    await wait(passMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    await reconcile(parts).catch((error: unknown) => {
      if (!signal.aborted) log.warn("unfinished graphs of projects cannot be reconciled now", { error });
    });
  }
};

/** Opens the graph reconciler; nothing runs before `start` or a call. */
export const openProjectGraphs = (graphParts: ProjectGraphsParts): ProjectGraphs => {
  const { graph, store, log } = graphParts;
  const stop = new AbortController();
  const removals = openGraphRemovals({ graph, keys: store.keys, log });
  const parts: ReconcilerContext = { ...graphParts, removals, signal: stop.signal };
  let reconciling: Promise<void> | undefined;
  return {
    settle: async (record) => {
      if (record.kind === "project")
        return record.columns[ikgStatus] === "PENDING" ? prepare(parts, record) : record;
      if (record.projectId !== undefined && hasNode(parts, record))
        await waitBriefly(followNodes(parts, record.projectId));
      return record;
    },
    followRemoved: async (records) => {
      const first = records.find((record) => hasNode(parts, record));
      if (first?.projectId !== undefined) await waitBriefly(followNodes(parts, first.projectId));
    },
    remove: (removed) => waitBriefly(removals.begin(removed)),
    start: async () => {
      await removals.resume();
      reconciling ??= keepReconciling(parts);
    },
    close: async () => {
      stop.abort();
      await Promise.all([reconciling, removals.close()]);
    },
  };
};

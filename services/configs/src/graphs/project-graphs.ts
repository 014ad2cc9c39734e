import { setTimeout as wait } from "node:timers/promises";
import type { Gid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { graphBehindLabel, lookUpProperties } from "@ikg/physical";
import { type Announce, changeOf } from "../records/announce.ts";
import { projection, recordOf, type StoredRecord } from "../records/record.ts";
import type { Store } from "../records/store.ts";
import { provision } from "./provision.ts";
import type { GraphRemoval } from "./removal-note.ts";
import { openGraphRemovals } from "./removals.ts";
import { followSystemNodes } from "./system-nodes.ts";

interface Log {
  info(message: string, fields?: Record<string, unknown>): unknown;
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** What the graphs of projects still need when a change of records is committed. */
export interface ProjectGraphs {
  /**
   * Does for a record that was created or updated what its project's own database needs: prepares it, or writes system
   * nodes. Waits for the attempt of a project, and a few seconds for nodes; what fails is tried again in the background.
   *
   * @returns the record as it is then.
   */
  settle(record: StoredRecord): Promise<StoredRecord>;
  /** Removes the system nodes of these removed records of one project, where that is not done yet. */
  followRemoved(records: readonly StoredRecord[]): Promise<void>;
  /** Removes the graph of a deleted project; waits a few seconds, a large one goes on in the background. */
  remove(removal: GraphRemoval): Promise<void>;
  /** Takes up what is unfinished, now and from then on. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface ProjectGraphsParts {
  readonly graph: Graph;
  readonly store: Store;
  readonly announce: Announce;
  readonly log: Log;
  /** Milliseconds between two rounds over what is unfinished; the databases of some do not answer for long. */
  readonly roundMs?: number;
}

/** How long an answer waits for what goes on without it. */
const timeoutMs = 5_000;
/** An attempt takes 10 s; whoever began an older one is gone. */
const abandonedMs = 30_000;

const { ikgStatus, graphAttempt } = lookUpProperties;

// Any fifty of them: those that never answer must not be in the way of the others.
const behindText = [
  `MATCH (p:${graphBehindLabel}) WHERE p.${ikgStatus} IN ['ACTIVE', 'PENDING']`,
  `RETURN ${projection("p", false)} AS record ORDER BY rand() LIMIT 50`,
].join(" ");

const retryUnavailable = async (work: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: over.signal, ref: false });
  await Promise.race([work, late.catch(() => undefined)]).catch(() => undefined);
  over.abort();
};

/** True when nobody is at the attempt any more that the record waits for. */
const isAbandoned = ({ columns }: StoredRecord, now: Date): boolean => {
  const [begun = ""] = String(columns[graphAttempt]).split("/");
  return now.getTime() - Date.parse(begun) > abandonedMs;
};

/** Opens the care for graphs; nothing runs before `resume`, or before somebody asks. */
export const openProjectGraphs = ({
  graph,
  store,
  announce,
  log,
  roundMs = 15_000,
}: ProjectGraphsParts): ProjectGraphs => {
  const { keys, collections } = store;
  const removals = openGraphRemovals({ graph, keys, log });
  const stop = new AbortController();
  let rounds: Promise<void> | undefined;

  const follow = (id: Gid): Promise<void> =>
    followSystemNodes({ graph, keys, collections }, id).catch((error: unknown) => {
      if (!stop.signal.aborted)
        log.warn("system nodes cannot be written to a project's own database; it is tried again", {
          project: id,
          error,
        });
    });

  const hasNode = ({ kind }: StoredRecord): boolean => collections.get(kind)?.systemNode !== undefined;

  const prepare = async (project: StoredRecord): Promise<StoredRecord> => {
    try {
      const settled = await provision({ graph, keys }, project);
      if (settled === undefined) return project;
      await announce([changeOf("updated", settled)]);
      await retryUnavailable(follow(project.id));
      return settled;
    } catch (error) {
      log.warn("a project's own database cannot be prepared; it is tried again", {
        project: project.id,
        error,
      });
      return project;
    }
  };

  const round = async (): Promise<void> => {
    const rows = await graph.shared.read(behindText, {}, { timeoutMs: 10_000 });
    const behind = rows.map((row) => recordOf(row["record"]));
    await Promise.all(
      behind.map(async (project) => {
        if (project.columns[ikgStatus] === "ACTIVE") await follow(project.id);
        else if (isAbandoned(project, store.now())) await prepare(project);
      }),
    );
    await removals.resume();
  };

  const goRound = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await wait(roundMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      if (stop.signal.aborted) return;
      await round().catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn("unfinished graphs of projects cannot be looked for", { error });
      });
    }
  };

  return {
    settle: async (record) => {
      if (record.kind === "project")
        return record.columns[ikgStatus] === "PENDING" ? prepare(record) : record;
      if (record.projectId !== undefined && hasNode(record)) await retryUnavailable(follow(record.projectId));
      return record;
    },
    followRemoved: async (records) => {
      const first = records.find(hasNode);
      if (first?.projectId !== undefined) await retryUnavailable(follow(first.projectId));
    },
    remove: (removal) => retryUnavailable(removals.begin(removal)),
    resume: async () => {
      await removals.resume();
      rounds ??= goRound();
    },
    close: async () => {
      stop.abort();
      await Promise.all([rounds, removals.close()]);
    },
  };
};

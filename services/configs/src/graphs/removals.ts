import { setTimeout as wait } from "node:timers/promises";
import { claimLabel, type Database, type Graph } from "@ikg/graph";
import {
  graphRemovalLabel,
  projectKey,
  projectLabel,
  quoteName,
  stagedPrefix,
  systemTypes,
  typeLabel,
} from "@ikg/physical";
import type { KeyRing } from "@ikg/secrets";
import { openConnection, ownGraph } from "./connection.ts";
import { importRecordsSweep, type Sweep, stagedSweeps } from "./import-sweeps.ts";
import type { GraphRemoval } from "./removal-note.ts";

interface Log {
  info(message: string, fields?: Record<string, unknown>): unknown;
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

export interface GraphRemovals {
  /** Removes the graph data of a deleted project; resolves when nothing was left at the first look. */
  begin(removal: GraphRemoval): Promise<void>;
  /** Goes on with what nobody in this process is at: a former process left it, or a database did not answer. */
  resume(): Promise<void>;
  /** Stops after the transaction that runs. What is not done stays noted. */
  close(): Promise<void>;
}

const batch = 1_000;
const timeoutMs = 60_000;

const doneText = `MATCH (note:${graphRemovalLabel} {project_id: $id}) DELETE note`;
const openText = `MATCH (note:${graphRemovalLabel}) RETURN properties(note) AS note`;

/** A graph that is being removed: where it lies, and how a batch of it goes. */
interface Target {
  readonly database: Database;
  readonly sweeps: readonly Sweep[];
  /** What is done at the very end. */
  readonly end: string | undefined;
}

/**
 * In a database of its own only what the project claimed is its own: another project's database, named by mistake, was
 * never touched, and is not now.
 */
const targetsOf = (
  graph: Graph,
  keys: KeyRing,
  { project_id: id, pk = "", connection }: GraphRemoval,
): readonly Target[] => {
  const label = quoteName(projectLabel(projectKey(pk)));
  const removeAll = (each: string): Sweep => ({
    text: `MATCH (n:${each}) WITH n LIMIT ${batch} DETACH DELETE n RETURN count(*) AS removed`,
    batch,
  });
  const scores = quoteName(typeLabel(systemTypes.trustScore, projectKey(pk)));
  const sweeps = [...stagedSweeps, removeAll(label), removeAll(scores)];
  // Records first: who works on an import hears that nobody wants it any more.
  const records = { database: graph.shared, sweeps: [importRecordsSweep], end: undefined };
  if (pk !== "")
    return [records, { database: graph.of({ id, pk }, undefined, "background"), sweeps, end: undefined }];
  if (connection === undefined) throw new Error("a removed project had neither a key nor a connection");
  const mine = `MATCH (c:${claimLabel} {owner: $id})`;
  const own = ownGraph(id, openConnection(keys, id, connection));
  return [
    records,
    ...own.parts.map((part) => ({
      database: graph.of(own.graph, part, "background"),
      sweeps: sweeps.map((sweep) => ({ ...sweep, text: `${mine} ${sweep.text}` })),
      end: `${mine} DELETE c`,
    })),
  ];
};

export interface GraphRemovalParts {
  readonly graph: Graph;
  readonly keys: KeyRing;
  readonly log: Log;
  /** Time between both passes; longer than the 30 s that a project stays in a cache. */
  readonly graceMs?: number;
}

/**
 * Removes the graph data of deleted projects, a batch per transaction. A note written with the deletion keeps
 * the work until it is done. After the first pass comes a second one: a process that had not yet heard of the
 * deletion may have captured nodes in between. A database stays claimed until then.
 */
export const openGraphRemovals = ({
  graph,
  keys,
  log,
  graceMs = 35_000,
}: GraphRemovalParts): GraphRemovals => {
  const stop = new AbortController();
  const running = new Map<string, Promise<void>>();

  const sweep = async (targets: readonly Target[], id: string): Promise<number> => {
    const params = { id, prefix: stagedPrefix(id) };
    const sweepAll = async (database: Database, { text, batch: size }: Sweep): Promise<number> => {
      for (let total = 0; ;) {
        if (stop.signal.aborted) return total;
        const [row] = await database.write((tx) => tx.run(text, params), { timeoutMs });
        const removed = Number(row?.["removed"] ?? 0);
        total += removed;
        if (removed < size) return total;
      }
    };
    let all = 0;
    for (const { database, sweeps } of targets)
      for (const each of sweeps) all += await sweepAll(database, each);
    return all;
  };

  const finish = async (targets: readonly Target[], id: string): Promise<void> => {
    await wait(graceMs, undefined, { signal: stop.signal, ref: false });
    const late = await sweep(targets, id);
    if (stop.signal.aborted) return;
    for (const { database, end } of targets)
      if (end !== undefined) await database.write((tx) => tx.run(end, { id }), { timeoutMs });
    await graph.shared.write((tx) => tx.run(doneText, { id }), { timeoutMs });
    graph.release(id);
    log.info("graph data of a deleted project is removed", { project: id, late_nodes: late });
  };

  const track = (id: string, work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          log.warn("removing the graph data of a deleted project stopped; it is tried again", {
            project: id,
            error,
          });
      })
      .finally(() => running.delete(id));
    running.set(id, tracked);
  };

  const begin = (removal: GraphRemoval): Promise<void> => {
    const id = removal.project_id;
    const targets = (async () => targetsOf(graph, keys, removal))();
    const first = targets.then(async (known) => void (await sweep(known, id)));
    track(
      id,
      first.then(async () => finish(await targets, id)),
    );
    return first;
  };

  return {
    begin,
    resume: async () => {
      const rows = await graph.shared.read(openText, {}, { timeoutMs: 10_000 });
      for (const row of rows) {
        const note = row["note"] as GraphRemoval; // written with the deletion
        // One after the other: what fails is logged, and met again at the next round.
        if (!stop.signal.aborted && !running.has(note.project_id)) await begin(note).catch(() => undefined);
      }
    },
    close: async () => {
      stop.abort();
      await Promise.all(running.values());
    },
  };
};

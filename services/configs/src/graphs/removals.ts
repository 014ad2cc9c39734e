import { setTimeout as wait } from "node:timers/promises";
import { claimLabel, type Database, type Graph } from "@ikg/graph";
import { graphRemovalLabel, projectKey, projectLabel, quoteName } from "@ikg/physical";
import type { KeyRing } from "@ikg/secrets";
import { openConnection } from "./connection.ts";
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
  readonly sweep: string;
  /** What is done at the very end. */
  readonly end: string | undefined;
}

/**
 * In a database of its own only what the project claimed is its own: another project's database, named by mistake, was
 * never touched, and is not now.
 */
const targetOf = (
  graph: Graph,
  keys: KeyRing,
  { project_id: id, pk = "", connection }: GraphRemoval,
): Target => {
  const label = quoteName(projectLabel(projectKey(pk)));
  const remove = `MATCH (n:${label}) WITH n LIMIT ${batch} DETACH DELETE n RETURN count(*) AS removed`;
  if (pk !== "") return { database: graph.shared, sweep: remove, end: undefined };
  if (connection === undefined) throw new Error("a removed project had neither a key nor a connection");
  const mine = `MATCH (c:${claimLabel} {owner: $id})`;
  return {
    database: graph.of({ id, pk, connection: openConnection(keys, id, connection) }),
    sweep: `${mine} ${remove}`,
    end: `${mine} DELETE c`,
  };
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

  const sweep = async ({ database, sweep: text }: Target, id: string): Promise<number> => {
    let total = 0;
    while (!stop.signal.aborted) {
      const [row] = await database.write((tx) => tx.run(text, { id }), { timeoutMs });
      const removed = Number(row?.["removed"] ?? 0);
      total += removed;
      if (removed < batch) break;
    }
    return total;
  };

  const finish = async (target: Target, id: string): Promise<void> => {
    await wait(graceMs, undefined, { signal: stop.signal, ref: false });
    const late = await sweep(target, id);
    if (stop.signal.aborted) return;
    const { end } = target;
    if (end !== undefined) await target.database.write((tx) => tx.run(end, { id }), { timeoutMs });
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
    const target = (async () => targetOf(graph, keys, removal))();
    const first = target.then(async (known) => void (await sweep(known, id)));
    track(
      id,
      first.then(async () => finish(await target, id)),
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

import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "@ikg/graph";
import { graphRemovalLabel, type ProjectKey, projectKey, projectLabel, quoteName } from "@ikg/physical";

interface Log {
  info(message: string, fields?: Record<string, unknown>): unknown;
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

export interface GraphRemovals {
  /** Removes the graph data of a deleted project; resolves when nothing was left at the first look. */
  begin(pk: string): Promise<void>;
  /** Goes on with what a former process left unfinished. */
  resume(): Promise<void>;
  /** Stops after the transaction that runs. What is not done stays noted. */
  close(): Promise<void>;
}

const batch = 1_000;
const timeoutMs = 60_000;

const sweepText = (pk: ProjectKey): string =>
  `MATCH (n:${quoteName(projectLabel(pk))}) WITH n LIMIT ${batch} DETACH DELETE n RETURN count(*) AS removed`;
const doneText = `MATCH (note:${graphRemovalLabel} {pk: $pk}) DELETE note`;
const openText = `MATCH (note:${graphRemovalLabel}) RETURN DISTINCT note.pk AS pk`;

/**
 * Removes the graph data of deleted projects, a batch per transaction. A note written with the deletion keeps
 * the work until it is done. After the first pass comes a second one: a process that had not yet heard of the
 * deletion may have captured nodes in between.
 *
 * @param graceMs time between both passes; longer than the 30 s that a project stays in a cache.
 */
export const openGraphRemovals = (database: Database, log: Log, graceMs = 35_000): GraphRemovals => {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();

  const sweep = async (pk: ProjectKey): Promise<number> => {
    let total = 0;
    while (!stop.signal.aborted) {
      const [row] = await database.write((tx) => tx.run(sweepText(pk), {}), { timeoutMs });
      const removed = Number(row?.["removed"] ?? 0);
      total += removed;
      if (removed < batch) break;
    }
    return total;
  };

  const finish = async (pk: ProjectKey): Promise<void> => {
    await wait(graceMs, undefined, { signal: stop.signal, ref: false });
    const late = await sweep(pk);
    if (stop.signal.aborted) return;
    await database.write((tx) => tx.run(doneText, { pk }), { timeoutMs });
    log.info("graph data of a deleted project is removed", { late_nodes: late });
  };

  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          log.warn("removing the graph data of a deleted project stopped; the next start goes on", { error });
      })
      .finally(() => running.delete(tracked));
    running.add(tracked);
  };

  const begin = (text: string): Promise<void> => {
    // The empty key means a whole database, which is no project's to sweep.
    if (text === "") return Promise.resolve();
    const pk = projectKey(text);
    const first = sweep(pk).then(() => undefined);
    track(first.then(() => finish(pk)));
    return first;
  };

  return {
    begin,
    resume: async () => {
      const notes = await database.read(openText, {}, { timeoutMs: 10_000 });
      const one = async (): Promise<void> => {
        for (const note of notes) if (!stop.signal.aborted) await begin(String(note["pk"]));
      };
      track(one());
    },
    close: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
};

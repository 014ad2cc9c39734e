import { createPeriodicTask } from "@ikg/concurrency";
import type { Database } from "@ikg/graph";
import { outboxLabel, takeLock } from "@ikg/physical";
import type { Redis } from "ioredis";
import { publishChanges } from "./publish.ts";
import { announcementsOf, type StoredAnnouncements } from "./stored-announcements.ts";
import type { ChangesLog } from "./watch.ts";

/** Publishes announcements that were stored with their changes. */
export interface Outbox {
  /** Publishes those of a change that was just committed. Never rejects: what fails is tried again. */
  deliver(stored: readonly StoredAnnouncements[]): Promise<void>;
  /** Starts to publish what other processes have left. */
  start(): void;
  close(): Promise<void>;
}

export interface OutboxParts {
  readonly database: Database;
  readonly redis: Redis;
  readonly log: ChangesLog;
  /** Milliseconds between two searches for what was left. */
  readonly intervalMs?: number;
}

const options = { timeoutMs: 10_000 };
const batch = 20;
/** When what was taken up is due again: the process that took it may be killed, too. */
const retryMs = 500;

const dropText = `UNWIND $ids AS id MATCH (o:${outboxLabel} {id: id}) DELETE o`;
// Entries of a former release hold records as well, which configs moves first.
const due = "o.records IS NULL AND o.due <= timestamp()";
const lookText = `MATCH (o:${outboxLabel}) WHERE ${due} RETURN o.id AS id LIMIT 1`;
// Locked before its time is judged: of two processes that look at the same moment one gets it.
const takeText = [
  `MATCH (o:${outboxLabel}) WHERE ${due} WITH o LIMIT ${batch} ${takeLock("o")}`,
  `WITH o WHERE ${due} SET o.due = timestamp() + ${retryMs} RETURN properties(o) AS entry`,
].join(" ");

/**
 * An entry goes once its announcements are published. A process that is killed in between leaves it, and another one publishes
 * it again: announcements only drop what is cached.
 */
export const openOutbox = ({ database, redis, log, intervalMs = 250 }: OutboxParts): Outbox => {
  const dropping = new Set<Promise<unknown>>();

  const drop = (ids: readonly string[]): void => {
    const dropped = database
      .write((tx) => tx.run(dropText, { ids }), options)
      .catch((error: unknown) => log.warn("a published change is published once more", { error }))
      .finally(() => dropping.delete(dropped));
    dropping.add(dropped);
  };

  const deliver = async (stored: readonly StoredAnnouncements[]): Promise<void> => {
    if (stored.length === 0) return;
    const changes = stored.flatMap((each) => each.changes);
    try {
      await publishChanges(redis, changes);
    } catch (error) {
      log.warn("a change cannot be announced now; it is announced again, and caches age meanwhile", {
        error,
        count: changes.length,
      });
      return;
    }
    drop(stored.map(({ id }) => id));
  };

  const run = async (): Promise<void> => {
    if ((await database.read(lookText, {}, options)).length === 0) return;
    const rows = await database.write((tx) => tx.run(takeText, {}), options);
    await deliver(rows.map((row) => announcementsOf(row["entry"])));
  };

  const task = createPeriodicTask({
    run,
    everyMs: intervalMs,
    onFailure: (error, isRepeated) => {
      if (!isRepeated) log.warn("unpublished changes cannot be looked for", { error });
    },
  });

  return {
    deliver,
    start: task.start,
    close: async () => {
      await task.close();
      await Promise.all(dropping);
    },
  };
};

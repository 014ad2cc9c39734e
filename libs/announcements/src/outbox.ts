import { createPeriodicTask } from "@ikg/concurrency";
import type { Database } from "@ikg/graph";
import { outboxLabel, takeLock } from "@ikg/physical";
import type { Redis } from "ioredis";
import { publishChanges } from "./publish.ts";
import { announcementsOf, type StoredAnnouncements } from "./stored-announcements.ts";
import type { ChangesLog } from "./watch.ts";

/** Publishes announcements that were stored with their changes. */
export interface Outbox {
  /** Publishes the announcements of a change that was just committed. Never rejects: failures are retried. */
  deliver(stored: readonly StoredAnnouncements[]): Promise<void>;
  /** Publishes announcements that other processes left, now and from then on. */
  start(): void;
  close(): Promise<void>;
}

export interface OutboxParts {
  readonly database: Database;
  readonly redis: Redis;
  readonly log: ChangesLog;
  /** Milliseconds between two reads of unpublished announcements. */
  readonly intervalMs?: number;
}

const options = { timeoutMs: 10_000 };
const batch = 20;
/** Milliseconds after which claimed entries are due again: the process that claimed them may be killed, too. */
const retryMs = 500;

const dropText = `UNWIND $ids AS id MATCH (o:${outboxLabel} {id: id}) DELETE o`;
// Entries of a former release hold records as well, which configs moves first.
const due = "o.records IS NULL AND o.due <= timestamp()";
const pollText = `MATCH (o:${outboxLabel}) WHERE ${due} RETURN o.id AS id LIMIT 1`;
// Locked before its due time is compared, so that only one of two concurrent processes claims it.
const takeText = [
  `MATCH (o:${outboxLabel}) WHERE ${due} WITH o LIMIT ${batch} ${takeLock("o")}`,
  `WITH o WHERE ${due} SET o.due = timestamp() + ${retryMs} RETURN properties(o) AS entry`,
].join(" ");

/**
 * An entry is deleted once its announcements are published. If the process is killed in between, another one publishes it again,
 * which is harmless: announcements only invalidate caches.
 */
export const openOutbox = ({ database, redis, log, intervalMs = 250 }: OutboxParts): Outbox => {
  const dropping = new Set<Promise<unknown>>();

  const drop = (ids: readonly string[]): void => {
    const dropped = database
      .write((tx) => tx.run(dropText, { ids }), options)
      .catch((error: unknown) => log.warn("a published change will be published again", { error }))
      .finally(() => dropping.delete(dropped));
    dropping.add(dropped);
  };

  const deliver = async (stored: readonly StoredAnnouncements[]): Promise<void> => {
    if (stored.length === 0) return;
    const changes = stored.flatMap((each) => each.changes);
    try {
      await publishChanges(redis, changes);
    } catch (error) {
      log.warn("a change could not be announced; it will be announced again", {
        error,
        count: changes.length,
      });
      return;
    }
    drop(stored.map(({ id }) => id));
  };

  const run = async (): Promise<void> => {
    if ((await database.read(pollText, {}, options)).length === 0) return;
    const rows = await database.write((tx) => tx.run(takeText, {}), options);
    await deliver(rows.map((row) => announcementsOf(row["entry"])));
  };

  const task = createPeriodicTask({
    run,
    everyMs: intervalMs,
    onFailure: (error, isRepeated) => {
      if (!isRepeated) log.warn("unpublished changes could not be read", { error });
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

import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "@ikg/graph";
import { outboxLabel, takeLock } from "@ikg/physical";
import type { AuditTrail } from "@ikg/service";
import type { Announce } from "../records/announce.ts";
import { entryOf, leaseMs, type OutboxEntry } from "./entry.ts";

interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

/** Delivers what was stored with a change: announcements to every process, records to the audit streams. */
export interface Outbox {
  /** Delivers an entry of a change that was just committed. Never rejects: what fails is tried again. */
  deliver(entry: OutboxEntry): Promise<void>;
  /** Takes up what other processes left, now and from then on. */
  resume(): void;
  close(): Promise<void>;
}

export interface OutboxParts {
  readonly database: Database;
  readonly announce: Announce;
  readonly trail: Pick<AuditTrail, "send">;
  readonly log: Log;
  readonly now: () => Date;
  /** Milliseconds between two looks at what was left. */
  readonly roundMs?: number;
}

const options = { timeoutMs: 10_000 };
const batch = 20;

const dropText = `MATCH (o:${outboxLabel} {id: $id}) DELETE o`;
// Locked before its time is judged: of two processes that look at the same moment one gets it.
const takeText = [
  `MATCH (o:${outboxLabel}) WHERE o.due <= $now WITH o LIMIT ${batch} ${takeLock("o")}`,
  "WITH o WHERE o.due <= $now SET o.due = $until RETURN properties(o) AS entry",
].join(" ");

/**
 * The entry goes when its audit records are kept. A process that is killed in between leaves it, and another one delivers it
 * again: announcements only drop what is cached, and audit records are distinguished by their ids.
 */
export const openOutbox = ({ database, announce, trail, log, now, roundMs = 2_000 }: OutboxParts): Outbox => {
  const stop = new AbortController();
  const dropping = new Set<Promise<unknown>>();
  let rounds: Promise<void> | undefined;

  const drop = (id: string): void => {
    const dropped = database
      .write((tx) => tx.run(dropText, { id }), options)
      .catch((error: unknown) => log.warn("a delivered change is delivered once more", { error }))
      .finally(() => dropping.delete(dropped));
    dropping.add(dropped);
  };

  const deliver = async ({ id, organizationId, announcements, records }: OutboxEntry): Promise<void> => {
    const [, kept] = await Promise.all([announce(announcements), trail.send(records, organizationId)]);
    if (kept) drop(id);
    else
      log.warn("audit records of a change cannot be kept yet; they are sent again", {
        count: records.length,
      });
  };

  const round = async (): Promise<void> => {
    const at = now().getTime();
    const rows = await database.write(
      (tx) => tx.run(takeText, { now: at, until: at + leaseMs * 2 }),
      options,
    );
    await Promise.all(rows.map((row) => deliver(entryOf(row["entry"]))));
  };

  const goRound = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await round().catch((error: unknown) => {
        if (!stop.signal.aborted) log.warn("undelivered changes cannot be looked for", { error });
      });
      await wait(roundMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };

  return {
    deliver,
    resume: () => void (rounds ??= goRound()),
    close: async () => {
      stop.abort();
      await rounds;
      await Promise.all(dropping);
    },
  };
};

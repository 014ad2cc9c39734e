/** Processes report themselves in Redis, which every one of them reaches (docs/decisions/0030-reports-of-processes.md). */
import { randomUUID } from "node:crypto";
import { createPeriodicTask, type PeriodicTask, untilAborted } from "@ikg/concurrency";
import type { ServiceName } from "@ikg/contracts";
import type { Redis } from "ioredis";
import type { Health } from "../process/health.ts";
import type { Logger } from "../logs/log.ts";
import { isErrorReply, isUnreachable } from "../redis/redis-errors.ts";
import { version } from "../process/version.ts";
import { printEntry, replicasKey } from "./replica-entry.ts";

const everyMs = 5_000;

/** Which services an installation has is known from reports of this time. */
const keptSeconds = 24 * 60 * 60;
/** The newest ones, however many processes were started. */
const keptEntries = 1_000;

/** ARGV: the report, and former ones of the process. */
const report = `
local now = tonumber(redis.call('TIME')[1])
for at = 2, #ARGV do redis.call('ZREM', KEYS[1], ARGV[at]) end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${keptSeconds})
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${keptEntries + 1})`;

interface ReportParts {
  readonly service: ServiceName;
  readonly redis: Redis;
  readonly health: Pick<Health, "status">;
  readonly log: Pick<Logger, "warn">;
  /** Default 5 s. */
  readonly intervalMs?: number;
}

/** Reports the state and the version of this process every few seconds, from `start` until `close`, which withdraws the report. */
export const openReplicaReports = ({
  service,
  redis,
  health,
  log,
  intervalMs = everyMs,
}: ReportParts): PeriodicTask => {
  const id = randomUUID();
  /** Reports that may be in the set: of one whose answer was lost that is not known. */
  const sent = new Set<string>();
  const send = async (signal: AbortSignal): Promise<void> => {
    const entry = printEntry({ service, id, status: await health.status(), version });
    if (signal.aborted || isUnreachable(redis)) return;
    const former = [...sent].filter((each) => each !== entry);
    sent.add(entry);
    await redis.eval(report, 1, replicasKey, entry, ...former);
    for (const each of former) sent.delete(each);
  };
  const task = createPeriodicTask({
    everyMs: intervalMs,
    // The end of a process does not wait for stores that do not answer.
    run: (signal) => untilAborted(send(signal), signal, () => new Error("the process ends")),
    onFailure: (error, isRepeated) => {
      if (isErrorReply(error) && !isRepeated)
        log.warn("the state of this process is not reported", { error });
    },
  });
  return {
    start: task.start,
    close: async () => {
      await task.close();
      if (sent.size > 0 && !isUnreachable(redis)) await redis.zrem(replicasKey, ...sent);
    },
  };
};

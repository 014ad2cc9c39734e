import { randomUUID } from "node:crypto";
import type { Queue } from "bullmq";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { openQueueing } from "../src/queueing.ts";

/** A queue of one test; the test removes its jobs and closes it. */
export const openTestQueue = <T extends object>(): {
  readonly queue: Queue<T>;
  readonly name: string;
  readonly redisUrl: string;
} => {
  const { signal } = new AbortController();
  const redisUrl = requireVariable("REDIS_URL");
  const log = { warn: () => undefined } as never; // of the logger's many forms
  const name = `turn-test-${randomUUID().slice(0, 8)}`;
  const settings = { redisUrl, takeoverMs: 60_000, subject: "turns", signal };
  return { queue: openQueueing(settings, log).queue<T>(name), name, redisUrl };
};

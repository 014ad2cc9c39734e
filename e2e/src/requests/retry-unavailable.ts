import { setTimeout as pause } from "node:timers/promises";
import type { Answer } from "./send.ts";

/** Longer than a busy machine needs to come back; nothing is being tested meanwhile. */
const timeoutMs = 60_000;

/**
 * Asks again as long as 503 comes, as any client should: nothing was done. It says so, for a machine that is not busy has
 * no reason to answer it. Tests that are about 503 look at the answers themselves.
 */
export const retryUnavailable = async (ask: () => Promise<Answer>): Promise<Answer> => {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503 || performance.now() > until) return answer;
    process.stdout.write(`503 was answered and asked again: ${answer.sent.slice(0, 100)}\n`);
    await pause(1_000 * Number(answer.headers.get("retry-after") ?? 1));
  }
};

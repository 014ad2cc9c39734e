/** Waiting for a process to answer, no longer than it lives. */
import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "../command.ts";
import { UserError } from "../../launch/user-error.mjs";
import { shortPath } from "../home.ts";
import type { Child } from "./child.ts";
import { describeExit } from "./children.ts";

export interface Waiting {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The process ended before it was ready because another one holds the port that was chosen for it; on another port it may start. */
export class PortTaken extends UserError {}

/** How Node, Redis and Java say it. */
export const saysPortTaken = (output: string): boolean => /EADDRINUSE|[Aa]ddress already in use/.test(output);

/**
 * Calls `probe` repeatedly until it is true.
 *
 * @throws UserError when the process ends or the time is over, among it PortTaken when it ended for want of its port; Interrupted
 */
export const waitUntilReady = async (
  child: Child,
  probe: () => Promise<boolean>,
  waiting: Waiting,
): Promise<void> => {
  const until = performance.now() + waiting.timeoutMs;
  let ended: string | undefined;
  void child.ended.then((how) => {
    ended = how;
  });
  for (;;) {
    if (waiting.signal.aborted) throw new Interrupted();
    if (ended !== undefined) {
      if (saysPortTaken(child.output())) throw new PortTaken(describeExit(child, ended));
      throw new UserError(describeExit(child, ended));
    }
    if (await probe()) return;
    if (performance.now() > until)
      throw new UserError(
        `${child.name} is not ready after ${Math.round(waiting.timeoutMs / 1000)} s. Log: ${shortPath(child.log)}`,
      );
    await sleep(40);
  }
};

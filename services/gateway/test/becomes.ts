import { eventually } from "../../../stack/src/testing/eventually.ts";

/**
 * Sends a request until its answer has this status; an announcement takes a moment.
 *
 * @returns how long that took, in milliseconds
 * @throws Error after 3 s
 */
export const becomes = async (
  status: number,
  ask: () => Promise<{ readonly status: number }>,
): Promise<number> => {
  const started = performance.now();
  await eventually(ask, (answer) => answer.status === status, { withinMs: 3_000, everyMs: 20 });
  return performance.now() - started;
};

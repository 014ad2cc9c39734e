import type { ScoreConstants } from "./constants.ts";
import { mean } from "./round.ts";
import type { ScorableNode } from "./scorable.ts";
import { ageInDays, instantOf } from "./time.ts";

/** Clocks differ; a verification further ahead than this is none. */
const aheadMs = 5 * 60_000;

/** How much one verification still counts: fully for one cycle of review, then ever less. */
export const verificationOf = (
  verifiedTime: unknown,
  now: number,
  { verificationFullDays: full, verificationZeroDays: zero }: ScoreConstants,
): number => {
  const time = instantOf(verifiedTime);
  if (time === undefined || time > now + aheadMs) return 0;
  const age = ageInDays(time, now);
  if (age <= full) return 1;
  return age >= zero ? 0 : 1 - (age - full) / (zero - full);
};

/** How much of a node was confirmed, and how long ago. */
export const verification = (node: ScorableNode, now: number, constants: ScoreConstants): number =>
  mean(node.properties, ({ verifiedTime }) => verificationOf(verifiedTime, now, constants));

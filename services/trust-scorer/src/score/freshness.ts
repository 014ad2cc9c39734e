import type { ScoreConstants } from "./constants.ts";
import { mean } from "./round.ts";
import type { ScorableNode } from "./scorable.ts";
import { ageInDays, instantOf } from "./time.ts";

/** Exponential decay: no age is arbitrary, and the fresher of two is always higher. */
export const freshnessOf = (
  updateTime: unknown,
  now: number,
  { freshnessHalfLifeDays }: ScoreConstants,
): number => {
  const time = instantOf(updateTime);
  return time === undefined ? 0 : 2 ** (-ageInDays(time, now) / freshnessHalfLifeDays);
};

/** How lately a node and its properties were written. */
export const freshness = (node: ScorableNode, now: number, constants: ScoreConstants): number => {
  const whole = freshnessOf(node.updateTime, now, constants);
  if (node.properties.length === 0) return whole;
  const otherwise = node.updateTime ?? node.createTime;
  const parts = mean(node.properties, ({ updateTime }) =>
    freshnessOf(updateTime ?? otherwise, now, constants),
  );
  return (whole + parts) / 2;
};

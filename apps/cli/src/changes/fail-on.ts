import type { SimulatedQuestion } from "@ikg/client";
import { InvalidArgumentError } from "commander";

/** More than so many pairs that are gained or lost fail a check. */
export interface Threshold {
  readonly what: "gained" | "lost";
  readonly above: number;
}

/** `lost,gained>100`: any pair lost, or more than 100 gained. */
export const thresholds = (text: string): readonly Threshold[] =>
  text.split(",").map((part) => {
    const [, what, above = "0"] = /^(gained|lost)(?:>(\d+))?$/.exec(part.trim()) ?? [];
    if (what !== "gained" && what !== "lost")
      throw new InvalidArgumentError("lost, gained, lost>NUMBER or gained>NUMBER expected, by commas.");
    return { what, above: Number(above) };
  });

/** Of an estimate the upper end of its interval: what may be so fails. */
const countOf = ({ count, exact, high }: SimulatedQuestion["lost"]): number =>
  exact ? count : (high ?? count);

/** Those that are exceeded, as text. */
export const exceeded = (
  questions: readonly SimulatedQuestion[],
  all: readonly Threshold[],
): readonly string[] =>
  all.flatMap(({ what, above }) => {
    const count = questions.reduce((sum, question) => sum + countOf(question[what]), 0);
    return count > above ? [`${count} ${what}, more than ${above}`] : [];
  });

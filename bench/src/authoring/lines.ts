/** Lines whose targets are times. */
import { type Line, msText } from "../targets.ts";

interface Baseline {
  readonly ms: number;
  readonly text: string;
}

const secondsText = (ms: number): string => (ms < 1_000 ? msText(ms) : `${(ms / 1_000).toFixed(1)} s`);

/** @param figure milliseconds; @param target at most so many; @param baseline what it stands beside */
export const absolute = (what: string, figure: number, target: number, baseline?: Baseline): Line => ({
  what,
  figure: secondsText(figure),
  // A simulation takes a thousandth of what it stands beside.
  ratio: baseline === undefined ? "" : `${(figure / baseline.ms).toPrecision(2)} x`,
  target: `at most ${secondsText(target)}`,
  met: figure <= target,
  baseline: baseline === undefined ? "" : `${baseline.text}: ${secondsText(baseline.ms)}`,
});

/** How fast the writer of the suite stores what waits for it in one chain, and what it spends on it. */
import { median } from "../../../stack/src/measurement/statistics.ts";
import { countText, type Line, perSecondText } from "../targets.ts";
import { processorSeconds } from "../processor.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { targets, plan } from "./plan.ts";
import type { Entry, Stream } from "./stream.ts";

/** The writer finds whole batches, so that it waits for no more of them. */
const backlogOf = (records: number): number =>
  Math.min(plan.backlog, Math.ceil(records / plan.batch)) * plan.batch;

/** Stores at least so many records, one backlog after the other. @returns how many there are, besides */
export const measureWriter = async (
  target: Target,
  stream: Stream,
  like: Entry,
  records: number,
): Promise<{ readonly lines: readonly Line[]; readonly stored: number }> => {
  const backlog = backlogOf(records);
  const rates: { readonly clock: number; readonly processor: number }[] = [];
  let stored = 0;
  for (; stored < records; stored += backlog) {
    await stream.hold();
    await stream.fill(like, backlog);
    const [began, spent] = [performance.now(), processorSeconds(target, "audit")];
    await stream.release();
    await stream.stored();
    const seconds = (performance.now() - began) / 1_000;
    const rate = {
      clock: backlog / seconds,
      processor: backlog / (processorSeconds(target, "audit") - spent),
    };
    rates.push(rate);
    say(`writer: ${perSecondText(rate.clock)}, ${perSecondText(rate.processor)} of its processor time`);
  }
  const line = (what: string, rate: number): Line => ({
    what,
    figure: perSecondText(rate),
    ratio: "",
    target: `at least ${perSecondText(targets.writer)}`,
    met: rate >= targets.writer,
    baseline: `${rates.length} times ${countText(backlog)} records that wait`,
  });
  return {
    stored,
    lines: [
      line("writer, one chain", median(rates.map(({ clock }) => clock))),
      line("- in a second of its processor time", median(rates.map(({ processor }) => processor))),
    ],
  };
};

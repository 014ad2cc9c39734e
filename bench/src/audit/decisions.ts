/** Decisions that leave records beside decisions that leave none, the variants interleaved. */
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Work } from "../../../stack/src/measurement/turns.ts";
import type { Question } from "../drive/questions.ts";
import { atLeast, atMost, type Line, msText, perSecondText, reported } from "../targets.ts";
import type { Deployments } from "./deployments.ts";
import { targets, plan, type Way } from "./plan.ts";
import type { Entry, Stream } from "./stream.ts";

/** @returns one of the records that decisions left, besides. */
export const measureDecisions = async (
  { recording, silent }: Deployments,
  stream: Stream,
  questions: readonly Question[],
): Promise<{ readonly lines: readonly Line[]; readonly record: Entry }> => {
  const list = inTurn(questions);
  let record: Entry | undefined;
  const works: Readonly<Record<Way, Work>> = {
    without: (ms) => run(silent, list, plan.callers, ms),
    kept: async (ms) => {
      const round = await run(recording, list, plan.callers, ms);
      record ??= await stream.sample();
      await stream.clear();
      return round;
    },
    stored: async (ms) => {
      await stream.release();
      const round = await run(recording, list, plan.callers, ms);
      // What is left of it is not the next way's burden.
      await stream.stored();
      await stream.hold();
      return round;
    },
  };
  await stream.hold();
  const turns = await takeTurns(works, plan.decisions, `decisions of ${plan.callers} callers`);
  if (record === undefined) throw new Error("decisions left no record");
  const rate = (way: Way): string => perSecondText(turns.summary(way).throughput);
  const late = (way: Way): string => msText(turns.summary(way).p99);
  const [noRate, noLate] = [`without records: ${rate("without")}`, `without records: ${late("without")}`];
  return {
    record,
    lines: [
      {
        what: `decisions through the gateway, records kept, ${plan.callers} callers`,
        figure: rate("kept"),
        ...atLeast(turns.ratio("kept", "without"), targets.throughput),
        baseline: noRate,
      },
      {
        what: "- their p99",
        figure: late("kept"),
        ...atMost(turns.ratio("kept", "without", "p99"), targets.p99),
        baseline: noLate,
      },
      {
        what: "- while the writer stores them on the same cores",
        figure: rate("stored"),
        ...reported(turns.ratio("stored", "without")),
        baseline: noRate,
      },
      {
        what: "- their p99",
        figure: late("stored"),
        ...reported(turns.ratio("stored", "without", "p99")),
        baseline: noLate,
      },
    ],
  };
};

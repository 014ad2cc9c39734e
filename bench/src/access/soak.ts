/** Memory of the processes under the load of the most callers, for some minutes: whether it is flat. */
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import type { Question } from "../drive/questions.ts";
import { type Line, ratioText } from "../targets.ts";
import { mostOf, watchMemory } from "../memory.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Bench } from "./bench.ts";
import { mostCallers } from "./plan.ts";

/** What two readings of memory that does not grow may differ by: a collection is due now and then. */
const flat = 1.1;

/** The last fifth of the time beside the second one; the first is warm-up. */
export const measureSoak = async (
  { target, clients, project }: Bench,
  questions: readonly Question[],
  minutes: number,
): Promise<readonly Line[]> => {
  if (minutes === 0) return [];
  say(`watching memory for ${minutes} minutes`);
  const { evaluate } = clients.gateway(project);
  const ms = minutes * 60_000;
  const { samples } = await watchMemory(target, ["access", "gateway"], () =>
    run(evaluate, inTurn(questions), mostCallers, ms),
  );
  const fifth = (n: number) => samples.filter(({ at }) => at >= (ms / 5) * n && at < (ms / 5) * (n + 1));
  return (["access", "gateway"] as const).map((name) => {
    const [before, after] = [mostOf(fifth(1), name), mostOf(fifth(4), name)];
    return {
      what: `memory of ${name} after ${minutes} minutes of ${mostCallers} callers`,
      figure: `${after.toFixed(0)} MB`,
      ratio: ratioText(after / before),
      target: `flat: at most ${ratioText(flat)}`,
      baseline: `${before.toFixed(0)} MB before`,
      met: after / before <= flat,
    };
  });
};

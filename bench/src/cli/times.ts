/** How long commands take from their start to their end. */
import { median } from "../../../stack/src/measurement/statistics.ts";
import { say } from "../../../stack/launch/progress.mjs";
import { type Line, msText, ratioText } from "../targets.ts";
import { plan, targets } from "./plan.ts";
import { runNode, type RunOptions } from "./program.ts";

/** Medians of commands that take turns; the first run of each does not count. */
const mediansOf = async (
  commands: Readonly<Record<string, readonly string[]>>,
  times: number,
  options: RunOptions,
): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  for (let run = 0; run <= times; run++)
    for (const [name, args] of Object.entries(commands)) {
      const { ms } = await runNode(args, options);
      if (run > 0) found.get(name)?.push(ms);
    }
  say(`times: ${Object.keys(commands).join(", ")}`);
  return new Map([...found].map(([name, each]) => [name, median(each)]));
};

const lineOf = (what: string, ms: number, target: number, bare: number): Line => ({
  what,
  figure: msText(ms),
  ratio: ratioText(ms / bare),
  target: `at most ${msText(target)}`,
  met: ms <= target,
  baseline: `Node that does nothing: ${msText(bare)}`,
});

export const measureTimes = async (
  program: string,
  folder: string,
  options: RunOptions,
): Promise<readonly Line[]> => {
  const starts = await mediansOf(
    {
      bare: ["-e", "0"],
      help: [program, "--help"],
      may: [program, "may", "Pilot/amelia", "FLY", "Aircraft/N211"],
    },
    plan.starts - 1,
    options,
  );
  const plans = await mediansOf(
    { bare: ["-e", "0"], plan: [program, "plan", folder, "--exit-code"] },
    plan.plans,
    options,
  );
  const of = (found: ReadonlyMap<string, number>, name: string): number => found.get(name) ?? NaN;
  return [
    lineOf("`ikg --help`", of(starts, "help"), targets.helpMs, of(starts, "bare")),
    lineOf("`ikg may`", of(starts, "may"), targets.mayMs, of(starts, "bare")),
    lineOf(
      `\`ikg plan\` of ${plan.records} policies without a change`,
      of(plans, "plan"),
      targets.planMs,
      of(plans, "bare"),
    ),
  ];
};

/** npm run fuzz [-- --runs N --seed S]: the generated tests of the policy language, as long as one likes. */
import { randomInt } from "node:crypto";
import { say } from "../../launch/progress.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { readFuzzOptions, type FuzzOptions } from "../testing/runner/fuzz-options.ts";
import type { Interruption } from "../interruption.ts";
import { watchInterruption } from "../interruption.ts";
import { describeSwitches } from "../options.ts";
import { backendVariables, inheritEnvironment } from "../services/variables.ts";
import { makeScratch } from "../scratch.ts";
import { withSession } from "../session.ts";
import { readStackSettings } from "../settings.ts";
import { one } from "../testing/runner/counts.ts";
import { runMocha } from "../testing/runner/mocha.ts";
import { findTestFiles } from "../testing/runner/selection.ts";
import { checkStatements, recordingIn } from "../testing/runner/statements.ts";
import {
  addTallies,
  conclude,
  failedIn,
  additionalCounts,
  type Tally,
  summaryCounts,
} from "../testing/runner/tally.ts";

const switches = [
  { name: "runs N", meaning: "cases that each generated test draws (default 20000)" },
  {
    name: "seed S",
    meaning: "draw the cases of an earlier run again; without, a new seed is drawn and printed",
  },
  { name: "help", meaning: "this text" },
];

const help = [
  "npm run fuzz [-- OPTIONS]: draws graphs, policies and requests, and compares what the database answers with what",
  "an evaluator of the tests' own says. Databases are its own, or those of NEO4J_URI and REDIS_URL.",
  "",
  ...describeSwitches(switches),
].join("\n");

/** One day: a run ends when its cases are done, or by Ctrl-C. */
const timeLimitMs = 24 * 60 * 60_000;

const run = async ({ runs, seed }: FuzzOptions, interruption: Interruption): Promise<Tally> => {
  const scratch = await makeScratch();
  let tally = additionalCounts(one(false));
  try {
    const options = {
      home: scratch.home,
      settings: readStackSettings(process.env),
      port: undefined,
      fresh: false,
      purpose: "measure" as const,
      interruption,
    };
    const summary = await withSession(options, ({ suite, backend }) =>
      runMocha({
        files: findTestFiles().filter((file) =>
          /^libs\/policy-core\/.*\.fuzz(\.long)?\.test\.ts$/.test(file),
        ),
        testName: undefined,
        // One after the other: each keeps the database busy alone.
        processes: 1,
        env: {
          ...inheritEnvironment(process.env),
          ...backendVariables(backend),
          ...recordingIn(suite.home.root),
          IKG_FUZZ_RUNS: String(runs),
          IKG_FUZZ_SEED: String(seed),
        },
        folder: suite.home.root,
        signal: suite.signal,
        timeLimitMs,
      }),
    );
    if (interruption.signal.aborted) throw new Interrupted();
    const statements = await checkStatements(scratch.home.root, interruption.signal);
    tally = addTallies(summaryCounts(summary), additionalCounts(statements));
    return tally;
  } finally {
    scratch.remove(failedIn(tally));
  }
};

await runCommand(async () => {
  const options = readFuzzOptions(process.argv.slice(2), () => randomInt(2 ** 31));
  if (options === undefined) {
    say(help);
    return 0;
  }
  say(`${options.runs} cases a test, seed ${options.seed}.`);
  const tally = await run(options, watchInterruption());
  if (failedIn(tally)) say(`Again: npm run fuzz -- --runs ${options.runs} --seed ${options.seed}`);
  return conclude(tally, "Nothing ran: there is no generated test.");
});

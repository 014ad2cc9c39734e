/** npm run generate: writes the generated files whose sources are in the repository; no database is needed. */
import { say } from "../../launch/progress.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { watchInterruption } from "../interruption.ts";
import { describeSwitches, parseSwitches } from "../options.ts";
import { inheritEnvironment } from "../services/variables.ts";
import { makeScratch } from "../scratch.ts";
import { generators } from "../testing/runner/generators.ts";
import { conclude, failedIn, summaryCounts, type Tally } from "../testing/runner/tally.ts";
import { runMocha } from "../testing/runner/mocha.ts";

const switches = [
  { name: "printed", meaning: "also record the printed statements and filters of the policy language" },
  { name: "help", meaning: "this text" },
];

const help = [
  "npm run generate [-- OPTIONS]: writes every generated file that needs no database: the tables of docs/, the OpenAPI",
  "document, JSON schemas, the command line's pages, the client's types, alerts and an example. Their tests write them,",
  'and compare them in npm test. CONTRIBUTING.md, "Generated files", has the whole list.',
  "",
  ...describeSwitches(switches),
].join("\n");

const write = async (isWithPrinted: boolean, signal: AbortSignal): Promise<Tally> => {
  const scratch = await makeScratch();
  let failed = true;
  try {
    const chosen = generators.filter(({ variable }) => isWithPrinted || variable !== "UPDATE_PRINTED");
    const summary = await runMocha({
      files: chosen.map(({ file }) => file),
      processes: 2,
      testName: undefined,
      env: {
        ...inheritEnvironment(process.env),
        ...Object.fromEntries(chosen.map(({ variable }) => [variable, "1"])),
      },
      folder: scratch.home.root,
      signal,
    });
    if (signal.aborted) throw new Interrupted();
    const tally = summaryCounts(summary);
    failed = failedIn(tally);
    return tally;
  } finally {
    scratch.remove(failed);
  }
};

await runCommand(async () => {
  const given = parseSwitches(process.argv.slice(2), switches);
  if (given.has("help")) {
    say(help);
    return 0;
  }
  const tally = await write(given.has("printed"), watchInterruption().signal);
  return conclude(tally, "Nothing was generated.");
});

/** npm run mutation [-- FILE …]: mutation tests of the parser, the rewriting, the filters and the allow-lists. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../launch/progress.mjs";
import { Interrupted, runCommand } from "../command.ts";
import { watchInterruption } from "../interruption.ts";
import { formatText } from "../format-text.ts";
import { inRepository } from "../repository.ts";
import { programFile } from "../testing/runner/checks.ts";
import { makeMutationFolder } from "../testing/runner/mutation-folder.ts";
import { mutationDocument } from "../testing/runner/mutation-document.ts";
import { type MutationReport, summarize } from "../testing/runner/mutation-report.ts";

const help = [
  "npm run mutation [-- FILE …]: mutates the parser, the rewriting, the filters and the allow-lists of the policy",
  "language in some 5,000 places, one at a time, and runs the tests that need no database. A mutant survives if no",
  "test fails; the command fails below a score of 88 %. A whole run takes some 30 minutes on two cores and writes",
  "docs/mutation.md.",
  "",
  "  FILE    only these, such as libs/policy-core/src/filters/resolve.ts",
].join("\n");

const configuration = "libs/policy-core/mutation/stryker.config.json";

const stryker = (folder: string, files: readonly string[], signal: AbortSignal): Promise<number> =>
  new Promise((resolve) => {
    const chosen = files.length === 0 ? [] : ["--mutate", files.join(",")];
    const program = programFile("@stryker-mutator/core", "stryker");
    const child = spawn(process.execPath, [program, "run", configuration, ...chosen], {
      cwd: folder,
      stdio: "inherit",
      signal,
    });
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });

const writePage = async (text: string): Promise<void> => {
  const path = inRepository("docs", "mutation.md");
  writeFileSync(path, await formatText(path, text));
};

await runCommand(async () => {
  const files = process.argv.slice(2);
  if (files.includes("--help")) {
    say(help);
    return 0;
  }
  const { signal } = watchInterruption();
  const folder = makeMutationFolder();
  const code = await stryker(folder, files, signal);
  if (signal.aborted) throw new Interrupted();
  // Written by Stryker by its schema.
  const report = JSON.parse(readFileSync(join(folder, "mutation.json"), "utf8")) as MutationReport;
  for (const line of summarize(report)) say(line);
  if (Object.values(report.files).every(({ mutants }) => mutants.length === 0)) {
    say(`Nothing ran: no file of the policy language is named like "${files.join(" ")}".`);
    return 1;
  }
  if (files.length === 0) await writePage(mutationDocument(report));
  return code;
});

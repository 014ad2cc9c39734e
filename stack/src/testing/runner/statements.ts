/** Holds the statements that tests have recorded against the vendor's checker, in one process of their own. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { say, step } from "../../../launch/progress.mjs";
import { runProgram } from "../../../launch/run-program.mjs";
import { Interrupted } from "../../command.ts";
import { inRepository, repository } from "../../repository.ts";
import type { Counts } from "./counts.ts";
import { none, one } from "./counts.ts";
import type { Timetable } from "./timetable.ts";

const checker = inRepository("libs", "policy-core", "test", "neo4j-syntax", "check-recorded.ts");

const title = "statements for the vendor's checker";

/** Where the tests of one run record their statements: made by the first that has one. */
export const statementsFolder = (root: string): string => join(root, "statements");

/** Variables that make the tests record. */
export const recordingIn = (root: string): NodeJS.ProcessEnv => ({ IKG_STATEMENTS: statementsFolder(root) });

/**
 * Does `work` with a folder for the statements of a run, then checks them as a part of the run.
 *
 * @param kept where they stay, beside those of the parts of this run that ended early; else they are removed
 */
export const withStatements = async <T>(
  timetable: Timetable,
  signal: AbortSignal,
  kept: string | undefined,
  work: (recording: NodeJS.ProcessEnv) => Promise<T>,
): Promise<[T, Counts]> => {
  const root = kept ?? mkdtempSync(join(tmpdir(), "ikg-statements-"));
  try {
    const result = await work(recordingIn(root));
    const counts = existsSync(statementsFolder(root))
      ? await timetable.counted(title, () => checkStatements(root, signal))
      : none;
    return [result, counts];
  } finally {
    if (kept === undefined) rmSync(root, { recursive: true, force: true });
  }
};

/**
 * One check, or none when no test has recorded anything. Prints one line, and the checker's findings when it found
 * something.
 *
 * @throws Interrupted
 */
export const checkStatements = async (
  root: string,
  signal: AbortSignal,
  program = checker,
): Promise<Counts> => {
  const folder = statementsFolder(root);
  if (!existsSync(folder)) return none;
  const lines: string[] = [];
  const check = async (report: (progress: string) => void) => {
    let [checked, all] = ["0", "?"];
    const { code, tail } = await runProgram(process.execPath, [program, folder], {
      cwd: repository,
      signal,
      onLine: (line) => {
        const progress = /^(\d+) of (\d+)$/.exec(line);
        if (!progress) return void lines.push(line);
        [, checked = checked, all = all] = progress;
        report(line);
      },
    });
    if (signal.aborted) throw new Interrupted();
    // The failed start of a program is reported nowhere else.
    if (code === 127) lines.push(...tail);
    // One that ended early has not seen them all, whatever its exit code.
    return { passed: code === 0 && checked === all, checked, all };
  };
  const { passed } = await step(title, check, ({ passed, checked, all }) =>
    passed ? `${all} ${title}` : `${title} FAILED after ${checked} of ${all}`,
  );
  if (!passed) for (const line of lines) say(`    ${line}`);
  return one(passed);
};

/** The checks that need no database: types, lint, import directions, formatting. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { formatStep, say } from "../../../launch/progress.mjs";
import { runProgram } from "../../../launch/run-program.mjs";
import { inRepository, repository } from "../../repository.ts";

export interface Check {
  /** as in `npm test -- NAME` */
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** Folders of code in this repository. */
export const codeFolders = ["libs", "services", "apps", "stack", "e2e", "bench"] as const;

export const checks: readonly Check[] = [
  {
    name: "types",
    title: "types (tsc)",
    package: "typescript",
    program: "tsc",
    args: ["-p", "tsconfig.json"],
  },
  {
    name: "types-console",
    title: "types of the console (tsc)",
    package: "typescript",
    program: "tsc",
    args: ["-p", "apps/console/tsconfig.json"],
  },
  {
    name: "lint",
    title: "lint (oxlint)",
    package: "oxlint",
    program: "oxlint",
    args: ["--type-aware", "--deny-warnings"],
  },
  {
    name: "imports",
    title: "import directions (dependency-cruiser)",
    package: "dependency-cruiser",
    program: "depcruise",
    args: ["--config", ".dependency-cruiser.cjs", ...codeFolders],
  },
  {
    name: "format",
    title: "formatting (oxfmt)",
    package: "oxfmt",
    program: "oxfmt",
    args: ["--list-different", "."],
  },
];

/** The file behind a program of an installed package: `node_modules/.bin` holds shell scripts. */
export const programFile = (packageName: string, program: string): string => {
  const require = createRequire(inRepository("package.json"));
  const manifest = join(repository, "node_modules", packageName, "package.json");
  // A package's own manifest.
  const { bin } = require(manifest) as { bin: string | Record<string, string> };
  const file = typeof bin === "string" ? bin : bin[program];
  if (file === undefined) throw new Error(`${packageName} has no program ${program}`);
  return join(dirname(manifest), file);
};

/** Runs one check; prints one line, and its findings if any. */
export const runCheck = async (check: Check, signal: AbortSignal): Promise<boolean> => {
  const started = performance.now();
  const lines: string[] = [];
  const { code } = await runProgram(
    process.execPath,
    [programFile(check.package, check.program), ...check.args],
    {
      cwd: repository,
      signal,
      onLine: (line) => lines.push(line),
    },
  );
  const passed = code === 0;
  say(formatStep(performance.now() - started, passed ? check.title : `${check.title} FAILED`));
  if (!passed) for (const line of lines) say(`    ${line}`);
  return passed;
};

/** The console, built once for each state of its sources. */
import { existsSync, globSync } from "node:fs";
import { step } from "../../launch/progress.mjs";
import { withLock } from "../../launch/lock.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { isFresh, stampOf, writeStamp } from "../../launch/stamp.mjs";
import { inRepository, repository } from "../repository.ts";

/** What the built files come from. */
const sources = [
  "apps/console/*.{ts,json,html}",
  "apps/console/public/**/*.*",
  "apps/console/src/**/*.{ts,tsx,css}",
  "libs/{audit,client,contracts,policy-core}/src/**/*.ts",
  "pnpm-lock.yaml",
];

const sourceFiles = (): readonly string[] =>
  globSync(sources, { cwd: repository })
    .filter((file) => !file.endsWith(".test.ts"))
    .sort()
    .map((file) => inRepository(file));

/** Beside the folder, which each build replaces. */
const stampFile = (): string => inRepository(".tools", "console.stamp");

/**
 * Builds `apps/console/dist`, where the gateway looks for it, unless it was built from the same sources.
 *
 * @throws UserError with what the bundler says.
 */
export const prepareConsole = (signal: AbortSignal): Promise<void> =>
  withLock(inRepository(".tools", "console.lock"), async () => {
    const stamp = stampOf(sourceFiles());
    if (isFresh(stampFile(), stamp) && existsSync(inRepository("apps", "console", "dist", "index.html")))
      return;
    await step("console", async () => {
      const { code, tail } = await runProgram(
        process.execPath,
        [inRepository("apps", "console", "build.ts")],
        {
          cwd: repository,
          signal,
        },
      );
      if (code !== 0) throw new UserError(`The console could not be built:\n${tail.join("\n")}`);
      writeStamp(stampFile(), stamp);
    });
  });

import { flushCompileCache } from "node:module";
import { basename, dirname } from "node:path";
import { running } from "./service.ts";
import { StartError } from "./start-error.ts";

/** Services live in a folder of their name: `access/src/main.ts`. */
const processName = (): string => basename(dirname(dirname(process.argv[1] ?? "")));

/** One line with the reason why the process ends; before the settings are read there is no log. */
const lastLine = (reason: unknown): void => {
  const lines =
    reason instanceof StartError ? reason.lines : [reason instanceof Error ? reason.message : String(reason)];
  const stack = reason instanceof Error && !(reason instanceof StartError) ? { stack: reason.stack } : {};
  for (const line of lines)
    process.stderr.write(
      `${JSON.stringify({ time: new Date().toISOString(), level: "error", service: processName(), msg: line, ...stack })}\n`,
    );
};

/**
 * Runs a composition root as this process: SIGTERM and SIGINT drain and end it with 0, a start that fails or an
 * uncaught error ends it with 1 and one clear line.
 */
export const runService = async (main: () => Promise<unknown>): Promise<void> => {
  const fail = (reason: unknown): never => {
    lastLine(reason);
    process.exit(1);
  };
  const stop = (): void => {
    Promise.all([...running].map((service) => service.close())).then(() => process.exit(0), fail);
  };
  process.once("SIGTERM", stop).once("SIGINT", stop);
  process.on("uncaughtException", fail).on("unhandledRejection", fail);
  try {
    await main();
    // Written now where Node has a compile cache: at the end of the process it would delay the shutdown.
    flushCompileCache();
  } catch (reason) {
    fail(reason);
  }
};

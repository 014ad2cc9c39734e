/** npm start -- --detach: the suite under a process of its own, this one until it is ready. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { say } from "../launch/progress.mjs";
import { Interrupted } from "./command.ts";
import type { Environment } from "./environment.ts";
import type { Home } from "./home.ts";
import { shortPath } from "./home.ts";
import type { Interruption } from "./interruption.ts";
import { whenAborted } from "./interruption.ts";
import { logFile, openLog } from "./processes/log.ts";

/** Messages of the process that keeps the suite to the one that waits. */
export type Notice = { readonly line: string } | { readonly ready: Environment };

export interface DetachedOptions {
  readonly home: Home;
  readonly fresh: boolean;
  readonly interruption: Interruption;
}

const startKeeper = (file: string, fresh: boolean) => {
  const handle = openLog(file);
  const program = fileURLToPath(new URL("./commands/supervise.ts", import.meta.url));
  const keeper = spawn(process.execPath, [program, ...(fresh ? ["--fresh"] : [])], {
    detached: true,
    stdio: ["ignore", handle, handle, "ipc"],
  });
  closeSync(handle);
  return keeper;
};

/**
 * @param whenReady called once everything answers, before this process ends; when it fails the suite is ended
 * @returns exit code: 0 when the suite is ready and runs on by itself
 */
export const startDetached = async (
  { home, fresh, interruption }: DetachedOptions,
  whenReady: (environment: Environment) => Promise<void>,
): Promise<number> => {
  const file = logFile(home, "suite");
  const keeper = startKeeper(file, fresh);
  const exited = once(keeper, "exit");
  // The channel closes after its last message: all messages of the keeper have arrived by then.
  const ended = Promise.all([exited, once(keeper, "disconnect")]).then(([[code]]) => ({
    code: Number(code ?? 1),
  }));
  const ready = new Promise<Environment>((resolve) => {
    keeper.on("message", (notice: Notice) => {
      if ("line" in notice) say(notice.line);
      else resolve(notice.ready);
    });
  });
  const stop = async () => {
    keeper.kill("SIGTERM");
    await exited;
  };
  const interrupted = whenAborted(interruption.signal);
  try {
    const environment = await Promise.race([ready, ended, interrupted]);
    if (environment && "code" in environment) return environment.code || 1;
    if (environment) await Promise.race([whenReady(environment), interrupted]);
    if (interruption.signal.aborted) throw new Interrupted();
  } catch (error) {
    await stop();
    throw error;
  }
  keeper.disconnect();
  keeper.unref();
  say(`It runs in the background (log: ${shortPath(file)}); npm stop ends it.`);
  return 0;
};

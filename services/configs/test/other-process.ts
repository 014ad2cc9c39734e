import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../../stack/src/ports.ts";

/** A configs process of its own. */
export interface OtherProcess {
  readonly url: string;
  /** Everything that it has written so far, to either stream. */
  output(): string;
  close(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** Starts the service as its own process and waits until it is ready. @param readyMs how long at most. */
export const startOtherProcess = async (
  environment: Readonly<Record<string, string>>,
  readyMs = 20_000,
): Promise<OtherProcess> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, "../src/main.ts")], {
    env: { PATH: process.env["PATH"] ?? "", ...environment, PORT: String(port) },
  });
  const ended = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ready = async (): Promise<boolean> => {
    try {
      return (await fetch(`${url}/readyz`)).status === 200;
    } catch {
      return false;
    }
  };
  for (const until = Date.now() + readyMs; !(await ready()); await wait(100)) {
    if (Date.now() <= until && child.exitCode === null) continue;
    child.kill("SIGKILL");
    throw new Error(`the process is not ready: ${output}`);
  }
  return {
    url,
    output: () => output,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    close: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
};

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { memoryMb } from "../../../stack/src/processes/memory.ts";

/** The capture service as a process of a test's own. */
export interface CaptureProcess {
  readonly url: string;
  output(): string;
  /** Resident memory in MiB: now, and at most so far. */
  memory(): { readonly now: number; readonly peak: number };
  end(signal: NodeJS.Signals): Promise<void>;
}

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  return port;
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
};

/** Starts the service with these variables and waits until it is ready. */
export const startCaptureProcess = async (
  variables: Readonly<Record<string, string>>,
): Promise<CaptureProcess> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: { PATH: process.env["PATH"], ...variables, PORT: String(port) },
  });
  const exited = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => (output += piece.toString()));
  for (const until = Date.now() + 30_000; !(await isReady(url)); await pause(50))
    if (Date.now() > until || child.exitCode !== null)
      throw new Error(`the service is not ready: ${output.slice(-2_000)}`);
  return {
    url,
    output: () => output,
    memory: () => ({
      now: Math.round(memoryMb(child.pid)),
      peak: Math.round(memoryMb(child.pid, "VmHWM")),
    }),
    end: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
};

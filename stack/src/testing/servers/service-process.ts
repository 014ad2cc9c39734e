import { join } from "node:path";
import type { ServiceName } from "../../services/service-names.ts";
import { freePort } from "../../ports.ts";
import { isReady } from "../../processes/is-ready.ts";
import { inRepository } from "../../repository.ts";
import { startProcess, type TestProcess } from "./test-process.ts";

/** One service as a process of a test's own. */
export interface ServiceProcess {
  readonly port: number;
  readonly url: string;
  /** The process that serves now. */
  readonly running: TestProcess;
  /** Ends it with SIGKILL, and starts it again at the same address. */
  killAndRestart(): Promise<void>;
}

/**
 * Starts a service on a free port and waits until it is ready.
 *
 * @param flags of Node.
 */
export const startServiceProcess = async (
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<ServiceProcess> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Of the launcher: what was compiled once is not compiled by every process.
  const cache = process.env["NODE_COMPILE_CACHE"];
  const start = (): Promise<TestProcess> =>
    startProcess({
      program: process.execPath,
      args: [...flags, join(inRepository("services", name), "src", "main.ts")],
      env: { ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }), ...env, PORT: String(port) },
      isReady: () => isReady(url),
    });
  let running = await start();
  return {
    port,
    url,
    get running() {
      return running;
    },
    killAndRestart: async () => {
      await running.end("SIGKILL");
      running = await start();
    },
  };
};

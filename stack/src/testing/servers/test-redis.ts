import { freePort, isOpen } from "../../ports.ts";
import { startProcess, type TestProcess } from "./test-process.ts";

/** A Redis of a test's own, as a setting of services. */
export interface TestRedis {
  readonly url: string;
  /** Ends it, as a machine ends. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends everything of it. */
  close(): Promise<void>;
}

/** Starts the program of Redis, and waits until it listens. @param more arguments */
export const startRedisProgram = (port: number, more: readonly string[]): Promise<TestProcess> =>
  startProcess({
    program: "redis-server",
    args: [...more, "--port", String(port), "--bind", "127.0.0.1"],
    env: {},
    isReady: () => isOpen(port),
  });

/** One server, which keeps nothing. */
export const startRedis = async (): Promise<TestRedis> => {
  const port = await freePort();
  const run = (): Promise<TestProcess> => startRedisProgram(port, ["--save", ""]);
  let running = await run();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => running.end("SIGKILL"),
    start: async () => {
      running = await run();
    },
    close: () => running.end("SIGKILL"),
  };
};

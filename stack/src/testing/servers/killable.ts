/** A Neo4j of a test's own that can be killed in the middle of what it does, and started again on its data. */
import { runProgram } from "../../../launch/run-program.mjs";
import { freePort } from "../../ports.ts";
import { askNeo4j, second, type Server, startNeo4j, useNeo4j } from "../../stores/neo4j.ts";
import type { Child } from "../../processes/child.ts";
import { waitUntilReady } from "../../processes/ready.ts";
import { makeScratch } from "../../scratch.ts";
import { readOrMakeSecrets } from "../../secrets.ts";
import { newSuite } from "../../suite.ts";
import { prepareExtra } from "../../system/prepare.ts";
import { versions } from "../../versions.ts";

export interface Killable {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again; resolves when it answers a read and a write of a raw driver. */
  start(): Promise<void>;
  /** Starts it again so that it takes no writes; resolves when it answers a read. */
  restartReadOnly(): Promise<void>;
  /**
   * Lets none of its files grow past so many bytes, as a disk that is full does not let them; `unlimited` ends that. The error
   * that it meets is another one (EFBIG in place of ENOSPC); it needs no right of an administrator.
   */
  limitFiles(bytes: number | "unlimited"): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/**
 * @param server what is started: heap, page cache and settings of its own
 * @throws Error where there is no Java for it
 */
export const openKillable = async (server: Server = second): Promise<Killable> => {
  const { signal } = new AbortController();
  const java = await prepareExtra(versions, signal);
  if (!java) throw new Error(`no Java ${versions.java.join(" or ")} is found`);
  const scratch = await makeScratch();
  const secrets = readOrMakeSecrets(scratch.home);
  // It keeps what it acknowledged, as one that serves does; only its compiler is left as it is.
  const suite = newSuite({ home: scratch.home, secrets, signal, purpose: "measure" });
  const port = await freePort();
  const address = { uri: `bolt://127.0.0.1:${port}`, username: "neo4j", password: secrets.neo4j_password };
  let running: Child | undefined;
  const kill = async (): Promise<void> => {
    // Java leads a process group of its own.
    if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
    await running?.ended;
    running = undefined;
  };
  /** Ends it in order: a store that was killed may need a recovery, which a read-only server refuses. */
  const stop = async (): Promise<void> => {
    if (running?.pid !== undefined) process.kill(running.pid, "SIGTERM");
    await running?.ended;
    running = undefined;
  };
  const startAs = async (started: Server): Promise<void> => {
    running = await startNeo4j(suite, java, port, started);
    const answers = async (): Promise<boolean> => (await askNeo4j(address, 2_000)) === undefined;
    await waitUntilReady(running, answers, { timeoutMs: 300_000, signal });
  };
  const start = async (): Promise<void> => {
    await startAs(server);
    await useNeo4j(address);
  };
  await start();
  return {
    url: address.uri,
    username: address.username,
    password: address.password,
    kill,
    start,
    restartReadOnly: async () => {
      await stop();
      await startAs({ ...server, settings: { ...server.settings, "server.databases.read_only": "neo4j" } });
    },
    limitFiles: async (bytes) => {
      const { code, tail } = await runProgram(
        "prlimit",
        ["--pid", String(running?.pid), `--fsize=${bytes}:unlimited`],
        { env: process.env, signal },
      );
      if (code !== 0) throw new Error(`prlimit: ${tail.join(" ")}`);
    },
    remove: async () => {
      await kill();
      scratch.remove(false);
    },
  };
};

/** A Neo4j of a test's own that can be killed in the middle of what it does, and started again on its data. */
import { claimHome } from "../claim.ts";
import { freePort } from "../ports.ts";
import { askNeo4j, second, startNeo4j, useNeo4j } from "../parts/neo4j.ts";
import type { Child } from "../processes/child.ts";
import { waitUntilReady } from "../processes/ready.ts";
import { makeScratch } from "../scratch.ts";
import { readOrMakeSecrets } from "../secrets.ts";
import { newSuite } from "../suite.ts";
import { prepareExtra } from "../system/prepare.ts";
import { versions } from "../versions.ts";

export interface Killable {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again; resolves when it answers a read and a write of a bare driver. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** @throws Error where there is no Java for it */
export const openKillable = async (): Promise<Killable> => {
  const { signal } = new AbortController();
  const java = await prepareExtra(versions, signal);
  if (!java) throw new Error(`no Java ${versions.java.join(" or ")} is found`);
  const scratch = await makeScratch();
  // What nobody claims is ended as abandoned by whoever tests beside this one.
  const release = await claimHome(scratch.home, undefined);
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
  const start = async (): Promise<void> => {
    running = await startNeo4j(suite, java, port, second);
    const answers = async (): Promise<boolean> => (await askNeo4j(address, 2_000)) === undefined;
    await waitUntilReady(running, answers, { timeoutMs: 300_000, signal });
    await useNeo4j(address);
  };
  await start();
  return {
    url: address.uri,
    username: address.username,
    password: address.password,
    kill,
    start,
    remove: async () => {
      await kill();
      release();
      scratch.remove(false);
    },
  };
};

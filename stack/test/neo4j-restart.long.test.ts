import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import neo4j, { type Driver } from "neo4j-driver";
import { startBackend } from "../src/backend.ts";
import { readRecords } from "../src/processes/record.ts";
import { makeScratch, type Scratch } from "../src/scratch.ts";
import { readOrMakeSecrets } from "../src/secrets.ts";
import { newSuite, type Backend, type Suite } from "../src/suite.ts";
import { prepareExtra } from "../src/system/prepare.ts";
import { eventually } from "../src/testing/eventually.ts";
import { versions } from "../src/versions.ts";

/** The databases of `npm start`: what becomes of a Neo4j that runs out of memory, is killed, or answers nothing. */
let scratch: Scratch;
let suite: Suite;
let backend: Backend;
let driver: Driver;
/** 30 s, and more on a machine that is so busy that the first start took long. */
let withinMs: number;

const pid = (): number | undefined =>
  readRecords(suite.home).find(({ name }) => name === "neo4j")?.identity.pid;

const run = async (text: string, parameters: object = {}): Promise<unknown> =>
  (await driver.executeQuery(text, parameters, { database: "neo4j" })).records[0]?.get(0);

/** Milliseconds until a new process answers. */
const comesBack = async (former: number | undefined): Promise<number> => {
  const since = performance.now();
  await eventually(
    async () => (pid() === former ? undefined : await run("RETURN 1.5").catch(() => undefined)),
    (answer) => answer === 1.5,
    { withinMs: 120_000, everyMs: 100 },
  );
  return performance.now() - since;
};

beforeEach(async () => {
  scratch = await makeScratch();
  const { signal } = new AbortController();
  const java = await prepareExtra(versions, signal);
  suite = newSuite({
    home: scratch.home,
    secrets: readOrMakeSecrets(scratch.home),
    signal,
    purpose: "serve",
  });
  const since = performance.now();
  backend = await startBackend(
    suite,
    { home: scratch.home.root, neo4j: undefined, redisUrl: undefined, port: 0 },
    java,
  );
  withinMs = Math.max(30_000, 2 * (performance.now() - since));
  const { uri, username, password } = backend.neo4j;
  driver = neo4j.driver(uri, neo4j.auth.basic(username, password), {
    maxTransactionRetryTime: 0,
    disableLosslessIntegers: true,
  });
}, 300_000);
afterEach(async () => {
  await driver?.close();
  await suite?.children.stop(true);
  scratch?.remove(false);
}, 120_000);

describe("the Neo4j of npm start", () => {
  it("that runs out of memory, or is killed, is started again within 30 s with everything it acknowledged", async () => {
    await run("UNWIND range(1, 1000) AS number CREATE (:Kept {number: number})");
    const first = pid();
    // Each step doubles the text. A text of 2^27 characters has no room beside its copy in the heap of 1 GB.
    const grow = "RETURN size(reduce(text = 'xxxxxxxx', i IN range(1, 27) | text + text))";
    await Promise.allSettled(Array.from({ length: 12 }, () => run(grow)));
    expect(await comesBack(first)).toBeLessThan(withinMs);
    expect(await run("MATCH (n:Kept) RETURN count(n)")).toBe(1_000);

    await run("CREATE (:Kept {number: 0})");
    const second = pid();
    process.kill(second ?? 0, "SIGKILL");
    expect(await comesBack(second)).toBeLessThan(withinMs);
    expect(await run("MATCH (n:Kept) RETURN count(n)")).toBe(1_001);
    // The suite goes on.
    expect(await Promise.race([suite.children.unexpectedExit, wait(100, "alive")])).toBe("alive");
  }, 400_000);

  it("ends within 10 s, also when it answers nothing", async () => {
    process.kill(pid() ?? 0, "SIGSTOP");
    const since = performance.now();
    await suite.children.stop();
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(pid()).toBeUndefined();
  }, 120_000);
});

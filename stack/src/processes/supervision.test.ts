import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { identify } from "../../launch/identity.mjs";
import { UserError } from "../../launch/user-error.mjs";
import type { Home } from "../home.ts";
import { openHome } from "../home.ts";
import { eventually } from "../testing/eventually.ts";
import type { Child } from "./child.ts";
import { startChild } from "./child.ts";
import { Children } from "./children.ts";
import { endOrphans } from "./orphans.ts";
import { PortTaken, waitUntilReady } from "./ready.ts";
import { readRecords, removeRecord, writeRecord } from "./record.ts";
import { startOnFreePort } from "./start-on-free-port.ts";

let home: Home;
beforeEach(() => {
  home = openHome(mkdtempSync(join(tmpdir(), "supervision-")));
});
afterEach(() => rmSync(home.root, { recursive: true }));

const start = (name: string, script: string, graceMs = 5_000): Child =>
  startChild(home, { name, program: process.execPath, args: ["-e", script], env: process.env, graceMs });

const waiting = { timeoutMs: 10_000, signal: new AbortController().signal };
const says = (child: Child, word: string) =>
  waitUntilReady(child, async () => child.output().includes(word), waiting);
const isRunning = (child: Child): boolean => identify(child.pid ?? 0) !== undefined;

const endsOnSigterm =
  "setInterval(() => {}, 1000); process.on('SIGTERM', () => { console.log('bye'); process.exit(0) }); console.log('up')";
const ignoresSigterm = "setInterval(() => {}, 1000); process.on('SIGTERM', () => {}); console.log('up')";

describe("one process", () => {
  it("writes to its log, is recorded while it runs, and ends when asked to", async () => {
    const child = start("one", endsOnSigterm);
    await says(child, "up");
    expect(readRecords(home).map(({ name }) => name)).toEqual(["one"]);
    await child.stop();
    await expect(child.ended).resolves.toBe("code 0");
    expect(readFileSync(child.log, "utf8")).toBe("up\nbye\n");
    expect(readRecords(home)).toEqual([]);
  });

  it("is killed when it does not end in its time", async () => {
    const child = start("stubborn", ignoresSigterm, 100);
    await says(child, "up");
    await child.stop();
    await expect(child.ended).resolves.toBe("SIGKILL");
  });

  it("says what it said last when it ends before it is ready", async () => {
    const child = start("broken", "console.log('cannot read the settings'); process.exit(3)");
    await expect(says(child, "never")).rejects.toThrow(
      /^broken has ended \(code 3\): cannot read the settings\. See .*broken\.log and start again\.$/,
    );
  });

  it("is waited for no longer than the limit, and not after an interruption", async () => {
    const child = start("slow", endsOnSigterm);
    const never = async () => false;
    await expect(waitUntilReady(child, never, { ...waiting, timeoutMs: 50 })).rejects.toThrow(
      "slow is not ready after 0 s.",
    );
    const interrupted = { ...waiting, signal: AbortSignal.abort() };
    await expect(waitUntilReady(child, never, interrupted)).rejects.toThrow();
    await child.stop();
  });

  it("that cannot be started says so", async () => {
    const child = startChild(home, {
      name: "none",
      program: "no-such-program",
      args: [],
      env: {},
      graceMs: 0,
    });
    await expect(child.ended).resolves.toContain("ENOENT");
    await child.stop();
  });
});

describe("a process on a port of its own", () => {
  it("gets another port when the first one was taken meanwhile", async () => {
    const tried: number[] = [];
    const offers = [1, 2, 3];
    const { child, port } = await startOnFreePort(
      async (candidate) => {
        tried.push(candidate);
        const script = candidate < 3 ? "throw new Error('listen EADDRINUSE')" : endsOnSigterm;
        const started = start(`port-${candidate}`, script);
        await says(started, "up");
        return started;
      },
      async () => offers.shift() ?? 0,
    );
    expect(tried).toEqual([1, 2, 3]);
    expect(port).toBe(3);
    await child.stop();
  });

  it("gives up in the end", async () => {
    const given = startOnFreePort(
      () => Promise.reject(new PortTaken("taken")),
      async () => 1,
    );
    await expect(given).rejects.toThrow("taken");
    // Its message is shown without a stack.
    await expect(given).rejects.toBeInstanceOf(UserError);
  });
});

describe("the processes of a suite", () => {
  it("end phase by phase, the last one first", async () => {
    const children = new Children();
    const script = (name: string, ms: number) =>
      `setInterval(() => {}, 1000); process.on('SIGTERM', () => setTimeout(() => { require('node:fs').appendFileSync('order', '${name} '); process.exit(0) }, ${ms})); console.log('up')`;
    const [first, last] = [children.addPhase(), children.addPhase()];
    const [database, gateway] = [
      start("database", script("database", 0)),
      start("gateway", script("gateway", 100)),
    ];
    first.add(database);
    last.add(gateway);
    await Promise.all([says(database, "up"), says(gateway, "up")]);
    await children.stop();
    expect(readFileSync(join(home.root, "order"), "utf8")).toBe("gateway database ");
    expect([database, gateway].some(isRunning)).toBe(false);
  });

  it("end at once when forced", async () => {
    const children = new Children();
    const child = start("stubborn", ignoresSigterm, 60_000);
    children.addPhase().add(child);
    await says(child, "up");
    await children.stop(true);
    expect(isRunning(child)).toBe(false);
  });

  it("report an end that was not asked for, and none that was", async () => {
    const children = new Children();
    const phase = children.addPhase();
    const [kept, lost] = [start("kept", endsOnSigterm), start("lost", endsOnSigterm)];
    for (const child of [kept, lost]) {
      phase.add(child);
      phase.watch(child);
    }
    await says(lost, "up");
    process.kill(lost.pid ?? 0, "SIGKILL");
    await expect(children.unexpectedExit).resolves.toMatchObject({
      message: expect.stringMatching(/^lost has ended \(SIGKILL\)/),
    });
    await children.stop();
  });
});

describe("a process with a replacement", () => {
  const steadyMs = 60_000;

  it("is started again when it ends by itself, and not when it is stopped", async () => {
    const children = new Children();
    const phase = children.addPhase();
    const started: Child[] = [];
    const begin = async (): Promise<Child> => {
      const child = start("database", endsOnSigterm);
      phase.add(child);
      started.push(child);
      await says(child, "up");
      return child;
    };
    phase.replace(await begin(), { start: begin, pausesMs: [0, 0, 0], steadyMs });
    for (let round = 1; round <= 2; round++) {
      process.kill(started.at(-1)?.pid ?? 0, "SIGKILL");
      await eventually(
        () => started.length,
        (count) => count > round,
        { withinMs: 10_000, everyMs: 50 },
      );
      expect(started).toHaveLength(round + 1);
      const last = started.at(-1);
      if (last !== undefined) await says(last, "up");
    }
    await children.stop();
    expect(started.some(isRunning)).toBe(false);
    await wait(200);
    expect(started).toHaveLength(3);
    expect(await Promise.race([children.unexpectedExit, wait(10, "alive")])).toBe("alive");
  });

  it("that ends again and again ends the suite, with the reason", async () => {
    const children = new Children();
    const phase = children.addPhase();
    let starts = 0;
    const begin = async (): Promise<Child> => {
      starts += 1;
      const child = start("database", "console.log('no space left on device'); process.exit(3)");
      phase.add(child);
      await child.ended;
      throw new Error("database is not ready");
    };
    const first = start("database", "console.log('no space left on device'); process.exit(3)");
    phase.add(first);
    phase.replace(first, { start: begin, pausesMs: [0, 10, 20], steadyMs });
    await expect(children.unexpectedExit).resolves.toMatchObject({
      message: expect.stringMatching(/^database has ended \(code 3\): no space left on device\. /),
    });
    expect(starts).toBe(3);
    await children.stop();
  });

  it("that is started while the suite stops is ended at once", async () => {
    const children = new Children();
    const phase = children.addPhase();
    const first = start("database", endsOnSigterm);
    phase.add(first);
    await says(first, "up");
    const begun = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const late = Promise.withResolvers<Child>();
    phase.replace(first, {
      start: async () => {
        begun.resolve();
        await stopped.promise;
        const child = start("database", ignoresSigterm, 60_000);
        phase.add(child);
        late.resolve(child);
        return child;
      },
      pausesMs: [0],
      steadyMs,
    });
    process.kill(first.pid ?? 0, "SIGKILL");
    await begun.promise;
    await children.stop();
    stopped.resolve();
    await expect((await late.promise).ended).resolves.toMatch(/^SIG(TERM|KILL)$/);
  });
});

describe("processes that a killed run has left", () => {
  it("are ended, and the record of another process under a recycled id is only removed", async () => {
    const orphan = start("gateway", endsOnSigterm);
    await says(orphan, "up");
    const stranger = start("stranger", endsOnSigterm);
    await says(stranger, "up");
    removeRecord(home, "stranger");
    writeRecord(home, { name: "redis", identity: { pid: stranger.pid ?? 0, started: "another boot:1" } });
    await expect(endOrphans(home)).resolves.toEqual(["gateway"]);
    expect(isRunning(orphan)).toBe(false);
    expect(isRunning(stranger)).toBe(true);
    expect(existsSync(join(home.run, "redis.json"))).toBe(false);
    await stranger.stop();
  });
});

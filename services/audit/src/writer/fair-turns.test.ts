import { describe, expect, it } from "@jest/globals";
import { fairTurns, type Turn } from "./fair-turns.ts";

/** Turns that end when a test says so. */
const openTurns = (atOnce: number) => {
  let clock = 0;
  const served: string[] = [];
  const running = new Map<string, (turn: Turn) => void>();
  const turns = fairTurns({
    atOnce,
    now: () => clock,
    serve: (chain) => {
      served.push(chain);
      return new Promise((resolve) => running.set(chain, resolve));
    },
  });
  const end = async (chain: string, turn: Turn): Promise<void> => {
    const resolve = running.get(chain);
    if (resolve === undefined) throw new Error(`${chain} has no turn`);
    running.delete(chain);
    resolve(turn);
    await new Promise((done) => setImmediate(done));
  };
  return { turns, served, running, end, pass: (ms: number) => void (clock += ms) };
};

const mebibyte: Turn = { bytes: 1_048_576, more: true };

describe("turns of chains", () => {
  it("go to a chain with little next, however much waits in another", async () => {
    const { turns, served, end } = openTurns(1);
    turns.offer(["heavy"]);
    for (let turn = 0; turn < 5; turn++) await end("heavy", mebibyte);
    turns.offer(["heavy", "light"]);
    await end("heavy", mebibyte);
    expect(served.slice(-1)).toEqual(["light"]);
    await end("light", { bytes: 600, more: false });
    await end("heavy", mebibyte);
    expect(served.slice(-2)).toEqual(["heavy", "heavy"]);
  });

  it("are shared by bytes", async () => {
    const { turns, served, running, end } = openTurns(1);
    turns.offer(["large", "small"]);
    for (let turn = 0; turn < 100; turn++) {
      const [chain = ""] = running.keys();
      await end(chain, { bytes: chain === "large" ? 800_000 : 200_000, more: true });
    }
    const large = served.filter((chain) => chain === "large").length;
    expect(large).toBeGreaterThanOrEqual(19);
    expect(large).toBeLessThanOrEqual(22);
  });

  it("give no credit for the time in which a chain had nothing", async () => {
    const { turns, served, end } = openTurns(1);
    turns.offer(["busy"]);
    for (let turn = 0; turn < 50; turn++) await end("busy", mebibyte);
    turns.offer(["late"]);
    await end("busy", mebibyte);
    for (let turn = 0; turn < 6; turn++) await end(served.at(-1) ?? "", mebibyte);
    expect(served.slice(-6).filter((chain) => chain === "busy").length).toBeGreaterThanOrEqual(2);
  });

  it("leave half of the places to chains that are not slow", async () => {
    const { turns, running, end, pass } = openTurns(4);
    const slow = Array.from({ length: 6 }, (_, n) => `slow${n}`);
    turns.offer(slow);
    for (const chain of slow) {
      pass(5_000);
      await end(chain, { bytes: 600, more: false });
    }
    // A turn that signs nothing does not show that its chain is quick again.
    turns.offer(slow);
    for (const chain of slow) await end(chain, { bytes: 0, more: false, isUnsigned: true });
    turns.offer([...slow, "quick"]);
    expect([...running.keys()].filter((chain) => chain.startsWith("slow"))).toHaveLength(2);
    expect([...running.keys()]).toContain("quick");
  });

  it("end with those that are under way", async () => {
    const { turns, served, end } = openTurns(2);
    turns.offer(["one", "two", "three"]);
    let closed = false;
    const closing = turns.close().then(() => (closed = true));
    await end("one", mebibyte);
    expect(closed).toBe(false);
    await end("two", mebibyte);
    await closing;
    expect(served).toEqual(["one", "two"]);
  });
});

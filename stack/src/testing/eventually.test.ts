import { describe, expect, it } from "@jest/globals";
import { eventually } from "./eventually.ts";

/** Returns 1, 2, 3 and so on, and counts its calls by that. */
const counter = () => {
  let calls = 0;
  return { next: () => ++calls, calls: () => calls };
};

const atOnce = { withinMs: 1, everyMs: 2 };

describe("a call that is repeated until its result is as expected", () => {
  it("ends with the first such result", async () => {
    const { next, calls } = counter();
    expect(await eventually(next, (count) => count === 3, { everyMs: 1 })).toBe(3);
    expect(calls()).toBe(3);
  });

  it("may be asynchronous", async () => {
    const { next } = counter();
    const call = async () => [next()];
    expect(await eventually(call, ([count]) => count === 2, { everyMs: 1 })).toEqual([2]);
  });

  it("narrows the result by a type predicate", async () => {
    const { next } = counter();
    const call = () => (next() > 1 ? "there" : undefined);
    const result: string = await eventually(call, (found) => found !== undefined, { everyMs: 1 });
    expect(result).toBe("there");
  });

  it("fails when the time is over, with the time and the last result", async () => {
    const call = () => ({ status: "running", seen: [1n, undefined] });
    await expect(eventually(call, ({ status }) => status === "done", atOnce)).rejects.toThrow(
      "Not as expected within 1 ms. Last result: { status: 'running', seen: [ 1n, undefined ] }",
    );
  });

  it("quotes the beginning and the end of a long result", async () => {
    const call = () => `${"a".repeat(20_000)}${"b".repeat(20_000)}`;
    await expect(eventually(call, (text) => text === "", atOnce)).rejects.toThrow(/ 'a{499} … b{499}'$/);
  });

  it("pauses between two calls", async () => {
    const { next } = counter();
    const started = performance.now();
    await eventually(next, (count) => count === 2, { everyMs: 100 });
    // A timer may fire a little early.
    expect(performance.now() - started).toBeGreaterThan(90);
  });

  it("fails as the call does", async () => {
    const call = () => Promise.reject(new Error("refused"));
    await expect(eventually(call, () => true)).rejects.toThrow("refused");
  });
});

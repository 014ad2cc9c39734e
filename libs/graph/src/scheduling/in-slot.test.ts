import { describe, expect, it } from "@jest/globals";
import { setImmediate as turn } from "node:timers/promises";
import { Problem } from "@ikg/contracts";
import { runInSlot } from "./in-slot.ts";
import type { StatementEnd } from "./types.ts";

const openSlot = () => {
  const released: StatementEnd[] = [];
  return {
    released,
    slot: { waitedMs: 10, release: (end: StatementEnd) => void released.push(end) },
  };
};
const options = { timeoutMs: 100 };

describe("a slot", () => {
  it("is given back with the result, and what waiting took is not left to the statement", async () => {
    const { released, slot } = openSlot();
    await expect(runInSlot(slot, options, async ({ timeoutMs }): Promise<number> => timeoutMs)).resolves.toBe(
      90,
    );
    expect(released).toEqual(["ended"]);
  });

  it.each([
    [
      "an answer that is whole after some of its rows",
      (): Promise<string> => Promise.resolve("rows"),
      "ended",
    ],
    ["a statement that ran out of time", (): Promise<never> => Promise.reject(new Error("time")), "ended"],
    [
      "a database that became unavailable",
      (): Promise<never> => Promise.reject(new Problem("unavailable")),
      "unmeasured",
    ],
  ] as const)("is kept by %s until the server has ended the statement", async (_, outcome, how) => {
    const { released, slot } = openSlot();
    const { promise: closing, resolve: end } = Promise.withResolvers<undefined>();
    const ran = runInSlot(slot, options, async ({ onClosing }): Promise<unknown> => {
      onClosing?.(closing);
      return outcome();
    });
    await ran.catch(() => undefined);
    await turn();
    expect(released).toEqual([]);
    end(undefined);
    await turn();
    expect(released).toEqual([how]);
  });

  it("tells its caller when the server has ended a statement that was stopped", async () => {
    const { promise: closing, resolve: end } = Promise.withResolvers<undefined>();
    const ended: string[] = [];
    const onClosing = (each: Promise<unknown>): void => void each.then(() => ended.push("ended"));
    await runInSlot(openSlot().slot, { ...options, onClosing }, async (left): Promise<void> => {
      left.onClosing?.(closing);
    });
    await turn();
    expect(ended).toEqual([]);
    end(undefined);
    await turn();
    expect(ended).toEqual(["ended"]);
  });

  it("says that a statement was stopped for its caller", async () => {
    const { released, slot } = openSlot();
    const left = new AbortController();
    const ran = runInSlot(slot, { ...options, signal: left.signal }, () => {
      left.abort(new Error("left"));
      return Promise.reject(left.signal.reason);
    });
    await expect(ran).rejects.toThrow("left");
    expect(released).toEqual(["stopped"]);
  });
});

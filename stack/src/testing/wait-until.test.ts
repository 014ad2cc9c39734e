import { describe, expect, it } from "@jest/globals";
import { Interrupted } from "../command.ts";
import { waitUntil } from "./wait-until.ts";

const { signal } = new AbortController();

describe("waiting for a condition", () => {
  it("ends as soon as it holds", async () => {
    let polls = 0;
    expect(await waitUntil(() => Promise.resolve(++polls === 2), 10_000, signal)).toBe(true);
    expect(polls).toBe(2);
  });

  it("ends without it when the time is over", async () => {
    expect(await waitUntil(() => false, 1)).toBe(false);
  });

  it("ends when it is interrupted", async () => {
    const stop = new AbortController();
    const condition = () => {
      stop.abort();
      return Promise.resolve(false);
    };
    await expect(waitUntil(condition, 10_000, stop.signal)).rejects.toThrow(Interrupted);
  });
});

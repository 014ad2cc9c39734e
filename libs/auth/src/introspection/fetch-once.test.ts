import { describe, expect, it } from "@jest/globals";
import { EgressError } from "@ikg/egress";
import { fetchOnce } from "./fetch-once.ts";

const pending = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
  });

describe("fetchOnce", () => {
  it("goes on for the others when the first caller stops waiting", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let calls = 0;
    const call = fetchOnce((signal) => {
      calls += 1;
      return Promise.race([promise, pending(signal)]);
    }, 5_000);
    const first = new AbortController();
    const left = call(first.signal);
    const stayed = call(new AbortController().signal);
    first.abort();
    await expect(left).rejects.toBeInstanceOf(EgressError);
    resolve("answer");
    await expect(stayed).resolves.toBe("answer");
    expect(calls).toBe(1);
  });

  it("runs again once it has ended, and fails for all who wait", async () => {
    let calls = 0;
    const call = fetchOnce(() => {
      calls += 1;
      return Promise.reject(new Error(`failure ${calls}`));
    }, 5_000);
    const [one, two] = await Promise.allSettled([call(), call()]);
    expect([one, two]).toEqual([
      { status: "rejected", reason: new Error("failure 1") },
      { status: "rejected", reason: new Error("failure 1") },
    ]);
    await expect(call()).rejects.toThrow("failure 2");
  });

  it("ends the work by its own limit, and a caller whose signal is aborted already at once", async () => {
    const call = fetchOnce(pending, 30);
    await expect(call(AbortSignal.abort())).rejects.toBeInstanceOf(EgressError);
    await expect(call()).rejects.toThrow("aborted");
  });
});

import { describe, expect, it } from "@jest/globals";
import { SingleFlight } from "./single-flight.ts";
import { untilAborted, withTimeout } from "./waiting.ts";

class Late extends Error {}
const late = (): Late => new Late("late");
const never = new Promise<never>(() => undefined);

describe("untilAborted", () => {
  it("lets one caller leave and the work go on for the others", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const flights = new SingleFlight<string, string>();
    const first = new AbortController();
    const left = untilAborted(
      flights.run("a", () => promise),
      first.signal,
      late,
    );
    const stayed = untilAborted(
      flights.run("a", () => promise),
      new AbortController().signal,
      late,
    );
    first.abort();
    await expect(left).rejects.toBeInstanceOf(Late);
    resolve("answer");
    await expect(stayed).resolves.toBe("answer");
  });

  it("fails at once for a signal that is aborted already, and waits without one", async () => {
    await expect(untilAborted(never, AbortSignal.abort(), late)).rejects.toBeInstanceOf(Late);
    await expect(untilAborted(Promise.resolve(1), undefined, late)).resolves.toBe(1);
  });
});

describe("withTimeout", () => {
  it("fails when the time is over, and gives the outcome that comes before", async () => {
    await expect(withTimeout(never, 10, late)).rejects.toBeInstanceOf(Late);
    await expect(withTimeout(Promise.resolve(1), 10_000, late)).resolves.toBe(1);
    await expect(withTimeout(Promise.reject(new Error("failure")), 10_000, late)).rejects.toThrow("failure");
  });
});

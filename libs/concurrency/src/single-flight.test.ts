import { describe, expect, it } from "@jest/globals";
import { SingleFlight } from "./single-flight.ts";

const deferred = () => Promise.withResolvers<string>();

describe("SingleFlight", () => {
  it("runs work once for all callers during a run, and again afterwards", async () => {
    const flights = new SingleFlight<string, string>();
    const { promise, resolve } = deferred();
    let calls = 0;
    const work = (): Promise<string> => {
      calls += 1;
      return promise;
    };
    const both = [flights.run("a", work), flights.run("a", work)];
    expect(flights.has("a")).toBe(true);
    resolve("answer");
    expect(await Promise.all(both)).toEqual(["answer", "answer"]);
    expect([calls, flights.has("a")]).toEqual([1, false]);
    await flights.run("a", work);
    expect(calls).toBe(2);
  });

  it("fails for all callers, and has ended when the first of them is notified", async () => {
    const flights = new SingleFlight<string, string>();
    let calls = 0;
    const work = (): Promise<string> => {
      calls += 1;
      return Promise.reject(new Error(`failure ${calls}`));
    };
    const again = flights.run("a", work).catch(() => flights.run("a", work));
    await expect(flights.run("a", work)).rejects.toThrow("failure 1");
    await expect(again).rejects.toThrow("failure 2");
  });

  it("keeps keys apart", async () => {
    const flights = new SingleFlight<string, string>();
    const outcomes = ["a", "b"].map((key) => flights.run(key, async () => key));
    expect(await Promise.all(outcomes)).toEqual(["a", "b"]);
  });

  it("starts again for the next caller after forget", async () => {
    const flights = new SingleFlight<string, string>();
    const first = deferred();
    const second = deferred();
    const former = flights.run("a", () => first.promise);
    flights.forget("a");
    const next = flights.run("a", () => second.promise);
    first.resolve("old");
    expect(await former).toBe("old");
    // The end of the former run does not end the next one.
    expect(flights.has("a")).toBe(true);
    second.resolve("new");
    expect(await next).toBe("new");
    const third = deferred();
    const last = flights.run("a", () => third.promise);
    flights.clear();
    expect(flights.has("a")).toBe(false);
    third.resolve("last");
    expect(await last).toBe("last");
  });

  it("settles when all that runs has ended, also by a failure", async () => {
    const flights = new SingleFlight<string, string>();
    const { promise, reject } = deferred();
    const order: string[] = [];
    flights.run("a", () => promise).catch(() => order.push("failed"));
    const settled = flights.settled().then(() => order.push("settled"));
    reject(new Error("failure"));
    await settled;
    expect(order).toEqual(["failed", "settled"]);
  });
});

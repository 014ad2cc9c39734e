import { expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { CircuitFull, CircuitOpen, openBreaker } from "./breaker.ts";

const fail = () => Promise.reject(new Error("no"));

it("opens after enough failures, lets one call through later, and closes again", async () => {
  const events: string[] = [];
  const breaker = openBreaker(
    "x",
    { volumeThreshold: 3, resetMs: 50 },
    {
      onOpen: (name) => events.push(`open ${name}`),
      onHalfOpen: (name) => events.push(`half open ${name}`),
      onClose: (name) => events.push(`close ${name}`),
    },
  );
  for (let i = 0; i < 3; i++) await expect(breaker.run(fail)).rejects.toThrow("no");
  expect(breaker.isOpen).toBe(true);
  let called = false;
  const call = () => {
    called = true;
    return Promise.resolve(1);
  };
  await expect(breaker.run(call)).rejects.toBeInstanceOf(CircuitOpen);
  expect(called).toBe(false);
  await wait(60);
  expect([breaker.isOpen, breaker.isHalfOpen]).toEqual([false, true]);
  await expect(breaker.run(call)).resolves.toBe(1);
  expect(breaker.isOpen).toBe(false);
  expect(events).toEqual(["open x", "half open x", "close x"]);
  breaker.shutdown();
});

it("does not count what its options ignore", async () => {
  const breaker = openBreaker("x", { volumeThreshold: 1, ignores: () => true });
  for (let i = 0; i < 10; i++) await expect(breaker.run(fail)).rejects.toThrow("no");
  expect(breaker.isOpen).toBe(false);
  breaker.shutdown();
});

it("refuses more calls at a moment than it has room for", async () => {
  const breaker = openBreaker("x", { capacity: 1, volumeThreshold: 100 });
  const first = breaker.run(() => wait(30, "done"));
  await expect(breaker.run(() => Promise.resolve())).rejects.toBeInstanceOf(CircuitFull);
  await expect(first).resolves.toBe("done");
  breaker.shutdown();
});

it("is not opened by a burst of calls that it had no room for", async () => {
  const breaker = openBreaker("x", { capacity: 2 });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => breaker.run(() => wait(10, "done"))),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(breaker.isOpen).toBe(false);
  await expect(breaker.run(() => Promise.resolve("done"))).resolves.toBe("done");
  breaker.shutdown();
});

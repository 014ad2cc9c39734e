import { expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { reportedBreakers } from "./reported-breaker.ts";

it("says when a circuit opens and closes, in the log and as a number of its upstream", async () => {
  const lines: unknown[] = [];
  const states: unknown[] = [];
  const line =
    (level: string) =>
    (message: string, { upstream }: Readonly<Record<string, unknown>>) =>
      lines.push([level, message, upstream]);
  const open = reportedBreakers({
    log: { info: line("info"), warn: line("warn") },
    metrics: {
      gauge: (name) => ({ set: ({ upstream }, value) => void states.push([name, upstream, value]) }),
    },
  });
  const breaker = open("access", { volumeThreshold: 2, resetMs: 30 });
  for (let failures = 0; failures < 2; failures++)
    await expect(breaker.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await wait(50);
  await breaker.run(() => Promise.resolve());
  expect(lines).toEqual([
    ["warn", "circuit open", "access"],
    ["info", "circuit closed", "access"],
  ]);
  expect(states).toEqual([0, 1, 0].map((value) => ["ikg_circuit_open", "access", value]));
  breaker.shutdown();
});

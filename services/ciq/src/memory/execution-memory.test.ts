import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { openSharedBudget } from "@ikg/service";
import { AnswerTooLarge, openExecutionMemory, unreservedBytes } from "./execution-memory.ts";

const of = (id: string) => ({ id, organizationId: `organization of ${id}` });

describe("the memory of one execution", () => {
  it("reserves nothing for a small answer, and everything that may come for a larger one", async () => {
    const reserved: number[] = [];
    let released = 0;
    const memory = openExecutionMemory(
      {
        reserve: (_tenant, amount) => {
          reserved.push(amount);
          return Promise.resolve({ release: () => void released++ });
        },
      },
      of("a"),
    );
    const budget = memory.responseBudget(1_000_000);
    expect(budget.consume(unreservedBytes)).toBeUndefined();
    expect(reserved).toEqual([]);
    await budget.consume(1);
    expect(budget.consume(500_000)).toBeUndefined();
    expect(reserved).toEqual([1_000_000]);
    expect(() => budget.consume(500_000)).toThrow(AnswerTooLarge);
    memory.release();
    memory.release();
    expect(released).toBe(1);
  });

  it("gives back at once what is reserved for an answer that is no longer wanted", async () => {
    const shared = openSharedBudget({ total: 2_000_000, waitMs: 1_000, waitingPerProject: 2 }, "SETTING");
    const all = await shared.reserve(of("b"), 2_000_000);
    const memory = openExecutionMemory(shared, of("a"));
    const waiting = memory.responseBudget(2_000_000).consume(unreservedBytes + 1);
    memory.release();
    all.release();
    await waiting;
    await pause(1);
    (await shared.reserve(of("c"), 2_000_000)).release();
  });
});

import { describe, expect, it } from "@jest/globals";
import { openSharedBudget } from "./shared-budget.ts";

const limits = { capacity: 100, waitMs: 100, waitingPerProject: 2 };

describe("a shared budget", () => {
  it("is given up to the capacity, and to one project up to half of it", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    const held = await Promise.all([
      memory.reserve("a", 25),
      memory.reserve("a", 25),
      memory.reserve("b", 50),
    ]);
    await expect(memory.reserve("c", 10)).rejects.toMatchObject({ code: "unavailable" });
    held[2]?.release();
    await expect(memory.reserve("a", 1)).rejects.toMatchObject({
      code: "too_many_requests",
      headers: { "Retry-After": "1" },
      errors: [expect.stringContaining("SETTING")],
    });
    (await memory.reserve("c", 50)).release();
  });

  it("is all of it for one answer that needs so much, also when it asks for more than there is", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    const all = await memory.reserve("a", 1_000);
    await expect(memory.reserve("b", 1)).rejects.toMatchObject({ code: "unavailable" });
    all.release();
    all.release();
    (await memory.reserve("b", 100)).release();
  });

  it("goes to the projects in turn, however many of one wait", async () => {
    const memory = openSharedBudget({ ...limits, waitMs: 5_000, waitingPerProject: 10 }, "SETTING");
    const first = await memory.reserve("x", 100);
    const served: string[] = [];
    const asking = ["a", "a", "a", "b", "c"].map(async (project) => {
      const reservation = await memory.reserve(project, 100);
      served.push(project);
      reservation.release();
    });
    first.release();
    await Promise.all(asking);
    expect(served).toEqual(["a", "b", "c", "a", "a"]);
  });

  it("refuses what would wait behind too many of its own project", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    await memory.reserve("a", 50);
    const waiting = [memory.reserve("a", 50), memory.reserve("a", 50)];
    await expect(memory.reserve("a", 50)).rejects.toMatchObject({ code: "too_many_requests" });
    for (const each of waiting) await expect(each).rejects.toMatchObject({ code: "too_many_requests" });
  });
});

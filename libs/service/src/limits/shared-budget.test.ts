import { describe, expect, it } from "@jest/globals";
import { openSharedBudget } from "./shared-budget.ts";
import { tenantOf as of } from "../../test/tenant-of.ts";

const limits = { total: 100, waitMs: 100, waitingPerProject: 2 };

describe("a shared budget", () => {
  it("is given up to the total, and to one project up to half of it", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    const held = await Promise.all([
      memory.reserve(of("a"), 25),
      memory.reserve(of("a"), 25),
      memory.reserve(of("b"), 50),
    ]);
    await expect(memory.reserve(of("c"), 10)).rejects.toMatchObject({ code: "unavailable" });
    held[2]?.release();
    await expect(memory.reserve(of("a"), 1)).rejects.toMatchObject({
      code: "too_many_requests",
      headers: { "Retry-After": "1" },
      errors: [expect.stringContaining("SETTING")],
    });
    (await memory.reserve(of("c"), 50)).release();
  });

  it("is given up to three quarters to all projects of one organization while another one holds some", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    const other = await memory.reserve(of("e"), 1);
    for (const id of ["a", "b", "c"]) await memory.reserve(of(id, "many"), 25);
    await expect(memory.reserve(of("d", "many"), 1)).rejects.toMatchObject({
      code: "too_many_requests",
      errors: ["SETTING; the organization already uses its share"],
    });
    other.release();
    (await memory.reserve(of("d", "many"), 25)).release();
  });

  it("serves what an organization waits for in turn, however small what stands behind it is", async () => {
    const memory = openSharedBudget({ ...limits, waitMs: 5_000 }, "SETTING");
    await memory.reserve(of("e"), 1);
    const held = await Promise.all(["a", "b", "c"].map((id) => memory.reserve(of(id, "many"), 25)));
    const served: string[] = [];
    const asking = [
      ["d", 50],
      ["f", 1],
    ].map(async ([id, amount]) => {
      const reservation = await memory.reserve(of(String(id), "many"), Number(amount));
      served.push(String(id));
      reservation.release();
    });
    for (const each of held) each.release();
    await Promise.all(asking);
    expect(served).toEqual(["d", "f"]);
  });

  it("does not let what an organization waits for hold up another one", async () => {
    const memory = openSharedBudget({ ...limits, waitMs: 5_000 }, "SETTING");
    await memory.reserve(of("g"), 1);
    const held = await Promise.all(["a", "b", "c"].map((id) => memory.reserve(of(id, "many"), 25)));
    const waiting = memory.reserve(of("d", "many"), 25);
    (await memory.reserve(of("e"), 24)).release();
    held[0]?.release();
    (await waiting).release();
  });

  it("is all of it for one answer that needs so much, also when it asks for more than there is", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    const all = await memory.reserve(of("a"), 1_000);
    await expect(memory.reserve(of("b"), 1)).rejects.toMatchObject({ code: "unavailable" });
    all.release();
    all.release();
    (await memory.reserve(of("b"), 100)).release();
  });

  it("goes to the projects in turn, however many of one wait", async () => {
    const memory = openSharedBudget({ ...limits, waitMs: 5_000, waitingPerProject: 10 }, "SETTING");
    const first = await memory.reserve(of("x"), 100);
    const served: string[] = [];
    const asking = ["a", "a", "a", "b", "c"].map(async (project) => {
      const reservation = await memory.reserve(of(project), 100);
      served.push(project);
      reservation.release();
    });
    first.release();
    await Promise.all(asking);
    expect(served).toEqual(["a", "b", "c", "a", "a"]);
  });

  it("serves several of one project at once when what was given back is as large as they are together", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    const all = await memory.reserve(of("a"), 100);
    const waiting = [memory.reserve(of("b"), 10), memory.reserve(of("b"), 10)];
    all.release();
    await expect(Promise.all(waiting)).resolves.toHaveLength(2);
  });

  it("refuses what would wait behind too many of its own project", async () => {
    const memory = openSharedBudget(limits, "SETTING");
    await memory.reserve(of("a"), 50);
    const waiting = [memory.reserve(of("a"), 50), memory.reserve(of("a"), 50)];
    await expect(memory.reserve(of("a"), 50)).rejects.toMatchObject({ code: "too_many_requests" });
    for (const each of waiting) await expect(each).rejects.toMatchObject({ code: "too_many_requests" });
  });
});

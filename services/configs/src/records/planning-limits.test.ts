import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { openPlanning, type PlanningTurn } from "./planning-limits.ts";

const { signal } = new AbortController();
const one = newGid("organization");
const other = newGid("organization");
const limits = { perOrganization: 2, total: 3, statementMs: 1_000 };

describe("texts that the database plans", () => {
  it("are bounded for one organization and for all; an organization with less goes first", async () => {
    const planning = openPlanning(limits);
    const begun: string[] = [];
    const enter = async (name: string, organization: typeof one): Promise<PlanningTurn> => {
      const turn = await planning.enter(organization, signal);
      begun.push(name);
      return turn;
    };
    const first = await enter("one 1", one);
    const second = await enter("one 2", one);
    const third = enter("one 3", one);
    const strange = await enter("other 1", other);
    const stranger = enter("other 2", other);
    expect(begun).toEqual(["one 1", "one 2", "other 1"]);
    first.release();
    // Released twice, it counts once.
    first.release();
    await Promise.race([third, stranger]);
    expect(begun).toEqual(["one 1", "one 2", "other 1", "one 3"]);
    second.release();
    (await stranger).release();
    expect(begun.at(-1)).toBe("other 2");
    (await third).release();
    strange.release();
    const again = await Promise.all([enter("one 4", one), enter("one 5", one)]);
    for (const turn of again) turn.release();
  });

  it("are refused with 429 when too many of one organization wait; others still have their turn", async () => {
    const planning = openPlanning(limits);
    const turns = [await planning.enter(one, signal), await planning.enter(one, signal)];
    const left = new AbortController();
    const waiting = Array.from({ length: 100 }, () => planning.enter(one, left.signal));
    await expect(planning.enter(one, signal)).rejects.toMatchObject({
      code: "too_many_requests",
      headers: { "Retry-After": "5" },
      errors: [expect.stringMatching(/^PLANNING_PER_ORGANIZATION: at most 2 /)],
    });
    (await planning.enter(other, signal)).release();
    left.abort(new Error("gone"));
    for (const each of waiting) await expect(each).rejects.toThrow("gone");
    // The queue is empty again, so the next call may wait.
    const next = planning.enter(one, signal);
    for (const turn of turns) turn.release();
    (await next).release();
  });
});

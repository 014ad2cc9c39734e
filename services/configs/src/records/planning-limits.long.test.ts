/** A wait of 10 s, which no setting shortens. */
import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { openPlanning } from "./planning-limits.ts";

const { signal } = new AbortController();
const one = newGid("organization");
const other = newGid("organization");

describe("texts that the database plans", () => {
  it("wait no longer than 10 s: 429 behind one's own, 503 behind those of others", async () => {
    const planning = openPlanning({ perOrganization: 2, total: 2, statementMs: 1_000 });
    const turns = [await planning.enter(one, signal), await planning.enter(one, signal)];
    await Promise.all([
      expect(planning.enter(one, signal)).rejects.toMatchObject({ code: "too_many_requests" }),
      expect(planning.enter(other, signal)).rejects.toMatchObject({
        code: "unavailable",
        headers: { "Retry-After": "5" },
      }),
    ]);
    for (const turn of turns) turn.release();
  }, 30_000);
});

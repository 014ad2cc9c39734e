import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Caller, newGid } from "@ikg/contracts";
import type { AuditNote } from "./note.ts";
import { rejectionNote } from "./rejection-note.ts";
import { openRepeatedRefusals, type RepeatedRefusals } from "./repeated-refusals.ts";

const caller: Caller = {
  kind: "service_account",
  credential_kid: "k7f3q2m9x1c8v5b4",
  org: newGid("organization"),
  service_account: newGid("service_account"),
  role: "all_editor",
};
let kept: [id: string, note: AuditNote["data"]][];
let refusals: RepeatedRefusals;

const refuse = (id: string, key = "k"): Promise<void> =>
  refusals.keep({
    key,
    request: { id, method: "POST", path: "/access/v1/evaluation", ip: "192.0.2.1" },
    caller,
    status: 401,
    note: (repeats) => rejectionNote(caller, "expired", repeats),
  });

beforeEach(() => {
  mock.timers.enable({
    apis: ["setTimeout", "setInterval", "Date"],
    now: Date.parse("2026-01-01T00:00:00.000Z"),
  });
  kept = [];
  refusals = openRepeatedRefusals(
    {
      begin: ({ id }) => {
        let auditNote: AuditNote | undefined;
        return {
          note: (createNote) => void (auditNote = createNote()),
          flush: async () => void kept.push([id, auditNote?.data ?? {}] as never), // a note was set before
        };
      },
    },
    60_000,
  );
});
afterEach(() => mock.timers.reset());

/** Lets time pass second by second, and what waits for it happen. */
const advance = async (ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += 1_000) {
    mock.timers.tick(1_000);
    await turn();
  }
};

const one = { kid: caller.credential_kid, owner: caller.service_account, reason: "expired" };

describe("equal refusals", () => {
  it("leave a record at once, and one together for each window", async () => {
    await refuse("first");
    expect(kept).toEqual([["first", one]]);
    for (let second = 1; second <= 59; second++) {
      await advance(1_000);
      await refuse(`after ${second}`);
    }
    expect(kept).toHaveLength(1);
    await advance(1_000);
    const repeats = { count: 59, first: "2026-01-01T00:00:01.000Z", last: "2026-01-01T00:00:59.000Z" };
    expect(kept.slice(1)).toEqual([["after 59", { ...one, ...repeats }]]);
    // The next window has begun; a quiet one leaves nothing and ends the counting.
    await refuse("later");
    expect(kept).toHaveLength(2);
    await advance(60_000);
    const time = "2026-01-01T00:01:00.000Z";
    expect(kept.slice(2)).toEqual([["later", { ...one, count: 1, first: time, last: time }]]);
    await advance(120_000);
    expect(kept).toHaveLength(3);
    await refuse("anew");
    expect(kept.slice(3)).toEqual([["anew", one]]);
  });

  it("of another key are counted by themselves, and what is counted is kept at the end", async () => {
    await refuse("a1", "a");
    await refuse("b1", "b");
    await refuse("a2", "a");
    await refuse("a3", "a");
    await refusals.close();
    expect(kept.map(([id]) => id)).toEqual(["a1", "b1", "a3"]);
    expect(kept[2]?.[1]).toMatchObject({ count: 2 });
    await advance(120_000);
    expect(kept).toHaveLength(3);
  });

  it("of more keys than are counted at one time are recorded early, none is lost", async () => {
    await refuse("0", "0");
    await refuse("0 again", "0");
    for (let key = 1; key <= 10_000; key++) await refuse(String(key), String(key));
    expect(kept).toHaveLength(10_002);
    expect(kept.at(-2)?.[0] === "0 again" || kept.at(-1)?.[0] === "0 again").toBe(true);
  });
});

import { describe, expect, it } from "@jest/globals";
import type { AuditRecord, IkgAdmin, ReplayedDecision } from "@ikg/client";
import { type ReplayState, runReplay } from "./replay-run.ts";
import { countVerdicts, differs } from "./verdicts.ts";

const records: readonly AuditRecord[] = Array.from({ length: 1_500 }, (_, index) => ({
  id: String(index),
  type: "audit.authorization.evaluation",
}));

type Replays = (portion: readonly AuditRecord[]) => Promise<readonly ReplayedDecision[]>;

const adminWith = (replays: Replays): IkgAdmin =>
  ({
    simulations: {
      replay: async ({ records: portion }: { readonly records: readonly AuditRecord[] }) => ({
        results: await replays(portion),
      }),
    },
  }) as unknown as IkgAdmin; // what is used of it

const same: Replays = async (portion) => portion.map(({ id }) => ({ record: id, verdict: "same" }));

const statesOf = async (replays: Replays, controller = new AbortController()) => {
  const states: ReplayState[] = [];
  await runReplay(adminWith(replays), records, controller.signal, (state) => states.push(state));
  return states.map(({ status, done, results }) => [status, done, results.size]);
};

describe("a replay of a list", () => {
  it("comes in portions, each with its results", async () => {
    expect(await statesOf(same)).toEqual([
      ["running", 0, 0],
      ["running", 1_000, 1_000],
      ["running", 1_500, 1_500],
      ["done", 1_500, 1_500],
    ]);
  });

  it("keeps what was decided when it is stopped or fails", async () => {
    let portions = 0;
    const fails: Replays = (portion) => {
      if (++portions > 1) throw new Error("no");
      return same(portion);
    };
    expect((await statesOf(fails)).at(-1)).toEqual(["failed", 1_000, 1_000]);
    const controller = new AbortController();
    const stops: Replays = (portion) => {
      if (portion.length < 1_000) {
        controller.abort();
        throw controller.signal.reason;
      }
      return same(portion);
    };
    expect((await statesOf(stops, controller)).at(-1)).toEqual(["stopped", 1_000, 1_000]);
  });
});

describe("verdicts", () => {
  it("are counted, and two of them say that the answer is another one", () => {
    const results = (["same", "policy_changed", "graph_changed", "not_replayable", "same"] as const).map(
      (verdict) => ({ verdict }),
    );
    expect(countVerdicts(results)).toEqual({
      same: 2,
      policy_changed: 1,
      graph_changed: 1,
      not_replayable: 1,
    });
    expect(results.map(differs)).toEqual([false, true, true, false, false]);
  });
});

import { describe, expect, it } from "@jest/globals";
import { newGid, Problem } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import type { Scorer } from "../scorer.ts";
import { finishRun, giveUpRun } from "./finish-run.ts";
import type { Run } from "./run-record.ts";

const run: Run = {
  profileId: newGid("trust_score_profile"),
  projectId: newGid("project"),
  pk: "abcdefgh",
  type: "Person",
  runId: "1",
  startTime: "2026-01-01T00:00:00.000Z",
  dimensions: [],
  expected: [],
  total: 0,
  bounds: [],
  ready: true,
  done: new Set([0]),
};

const database = { write: async () => [{ removed: 0 }] } as unknown as Database; // nothing else is called

/** A scorer with an open run whose end is committed, without an answer. */
const openScorer = () => {
  const recorded: unknown[] = [];
  let isOpen = true;
  const end = async (): Promise<boolean> => {
    isOpen = false;
    throw new Problem("commit_unknown");
  };
  const scorer = {
    records: { find: async () => ({ run: isOpen ? run : undefined }), finish: end, giveUp: end },
    log: { info: () => undefined, error: () => undefined },
    metrics: { run: () => undefined },
    recordRun: async ({ runId }: Run, _end: string, outcome: string) => void recorded.push([runId, outcome]),
    now: () => new Date(0),
  } as unknown as Scorer; // as much of it as is used
  return { scorer, recorded };
};

describe("the audit record of a run", () => {
  it.each([
    ["success", (scorer: Scorer) => finishRun(scorer, run, database)],
    ["failed", (scorer: Scorer) => giveUpRun(scorer, run, "a reason", database)],
  ])("is there once where the answer to its end is lost: %s", async (outcome, end) => {
    const { scorer, recorded } = openScorer();
    await expect(end(scorer)).rejects.toMatchObject({ code: "commit_unknown" });
    await end(scorer);
    expect(recorded).toEqual([["1", outcome]]);
  });
});

import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { Scorer } from "../scorer.ts";
import { beginRun } from "./begin-run.ts";
import type { Run } from "./run-record.ts";

const [profileId, projectId] = [newGid("trust_score_profile"), newGid("project")];

const open: Run = {
  profileId,
  projectId,
  pk: "abcdefgh",
  type: "Person",
  runId: "1",
  startTime: "2026-01-01T00:00:00.000Z",
  dimensions: [],
  expected: [],
  total: 0,
  bounds: [],
  ready: true,
  done: new Set(),
};

it("an open run of a project that has another database now fails, and its slot is skipped", async () => {
  const outcomes: string[] = [];
  const recorded: unknown[] = [];
  const log = { info: () => undefined, error: () => undefined };
  const scorer = {
    profiles: { find: async () => ({ id: profileId, projectId }) },
    projects: { project: async () => ({ ikgStatus: "ACTIVE", pk: "" }) },
    records: { find: async () => ({ run: open }), giveUp: async () => true },
    log,
    metrics: { run: (outcome: string) => outcomes.push(outcome) },
    recordRun: async (run: Run, _end: string, outcome: string) => void recorded.push([run.runId, outcome]),
    now: () => new Date(0),
  } as unknown as Scorer; // as much of it as is used
  const slot = await beginRun(scorer, profileId, open.startTime, new AbortController().signal);
  expect(slot).toEqual({ kind: "skipped" });
  expect(outcomes).toEqual(["failed", "skipped"]);
  expect(recorded).toEqual([["1", "failed"]]);
});

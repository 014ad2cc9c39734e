import { describe, expect, it } from "@jest/globals";
import type { AuditRecord, ReplayedDecision } from "@ikg/client";
import { type RecordRow, rowsOf } from "./record-row.ts";
import { differentRows, hasUnreplayed } from "./replayed-rows.ts";

const place = { batch_id: "b", sequence: 7, hash: "h", kid: "k", alg: "ES256" } as const;
const record = (id: string, type: string, data: unknown = {}): AuditRecord => ({ id, type, data });
const one = record("one", "audit.authorization.evaluation");
const batch = record("batch", "audit.authorization.evaluations", { evaluations: [{}, {}] });
const saved = record("saved", "audit.config.update");
const rows = rowsOf({ ...place, data: [one, batch, saved] });

const resultsOf = (...verdicts: readonly (readonly [string, ReplayedDecision["verdict"]])[]) =>
  new Map(verdicts.map(([key, verdict]) => [key, { record: key, verdict }]));
const keysOf = (shown: readonly RecordRow[]) => shown.map(({ key }) => key);

describe("rows that differ today", () => {
  it("are those with another answer", () => {
    const results = resultsOf(["one", "same"], ["batch 0", "not_replayable"], ["batch 1", "graph_changed"]);
    expect(keysOf(differentRows(rows, results))).toEqual(["batch 1"]);
  });

  it("are all rows where nothing was replayed, or a replay ended before its first result", () => {
    expect(differentRows(rows, undefined)).toBe(rows);
    expect(differentRows(rows, resultsOf())).toBe(rows);
  });
});

describe("a list", () => {
  it("is replayed when each of its decisions has a result, whatever else it holds", () => {
    const results = resultsOf(["one", "same"], ["batch 0", "same"]);
    expect(hasUnreplayed(rows, results)).toBe(true);
    expect(hasUnreplayed(rows, new Map([...results, ...resultsOf(["batch 1", "same"])]))).toBe(false);
  });

  it("is replayed where a batch has one result for all of its entries", () =>
    expect(hasUnreplayed(rows, resultsOf(["one", "same"], ["batch", "not_replayable"]))).toBe(false));
});

import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import type { Decide } from "./decide.ts";
import { withMetrics } from "./with-metrics.ts";

/** Metrics that keep what was observed, by name. */
const recordingMetrics = () => {
  const observed: Record<string, unknown[]> = {};
  const record = (name: string, value: unknown): void => void (observed[name] ??= []).push(value);
  const metrics = {
    counter: (name: string) => ({ inc: (labels: unknown) => record(name, labels) }),
    histogram: (name: string) => ({ observe: (value: unknown) => record(name, value) }),
  };
  // The wrapper uses no more of them.
  return { observed, metrics: metrics as unknown as Parameters<typeof withMetrics>[0] };
};

const snapshot = { kbacCandidates: () => [{}, {}] } as unknown as Parameters<Decide>[0]; // read for its candidates alone
const evaluation = {
  subject: { type: "Nurse", id: "n1" },
  resource: { type: "Chart", id: "c1" },
  action: { name: "READ" },
  context: undefined,
  token: undefined,
};

describe("metrics of decisions", () => {
  it("measure candidates and the time of all statements, and pass each statement on", async () => {
    const { observed, metrics } = recordingMetrics();
    const passed: number[] = [];
    const decide: Decide = async (_snapshot, _evaluation, { onStatement }) => {
      onStatement?.(20);
      onStatement?.(30);
      return { decision: true };
    };
    await withMetrics(metrics)(decide)(snapshot, evaluation, {
      timeoutMs: 1_000,
      onStatement: (ms) => void passed.push(ms),
    });
    expect(passed).toEqual([20, 30]);
    expect(observed).toEqual({
      ikg_decision_candidates: [2],
      ikg_decision_database_seconds: [0.05],
      ikg_decisions_total: [{ outcome: "granted" }],
    });
  });

  it.each([
    ["refused", new Problem("input_param_missing")],
    ["failed", new Problem("unavailable")],
    ["failed", new Error("a bug")],
  ])("count as %s: %s", async (outcome, error) => {
    const { observed, metrics } = recordingMetrics();
    const decide: Decide = () => Promise.reject(error);
    await expect(withMetrics(metrics)(decide)(snapshot, evaluation, { timeoutMs: 1_000 })).rejects.toBe(
      error,
    );
    expect(observed["ikg_decisions_total"]).toEqual([{ outcome }]);
  });

  it("count as abandoned what its caller no longer waits for", async () => {
    const { observed, metrics } = recordingMetrics();
    const caller = new AbortController();
    const decide: Decide = async (_snapshot, _evaluation, { signal }) => {
      caller.abort();
      signal?.throwIfAborted();
      return { decision: true };
    };
    await expect(
      withMetrics(metrics)(decide)(snapshot, evaluation, { timeoutMs: 1_000, signal: caller.signal }),
    ).rejects.toThrow("aborted");
    expect(observed["ikg_decisions_total"]).toEqual([{ outcome: "abandoned" }]);
  });
});

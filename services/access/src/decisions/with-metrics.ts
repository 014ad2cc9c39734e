import { Problem } from "@ikg/contracts";
import { countBuckets, type Service } from "@ikg/service";
import { candidatesOf } from "./candidates.ts";
import type { Decide } from "./decide.ts";

type Metrics = Pick<Service["metrics"], "counter" | "histogram">;

/** Outcome of a decision that was not made: the request was at fault, its caller disconnected, or the service failed. */
const failureOutcome = (
  error: unknown,
  signal: AbortSignal | undefined,
): "refused" | "abandoned" | "failed" => {
  if (signal?.aborted === true) return "abandoned";
  return error instanceof Problem && error.status < 500 ? "refused" : "failed";
};

/** Counts decisions by outcome, and measures their candidates and their time in the database. */
export const withMetrics = (metrics: Metrics): ((decide: Decide) => Decide) => {
  const decisions = metrics.counter(
    "ikg_decisions_total",
    "Decisions of /evaluation and /evaluations by outcome: granted, denied, refused by the caller's fault, abandoned when the caller disconnected, failed. Each well-formed entry of a batch is one. Searches, simulations and replays are not counted.",
    ["outcome"],
  );
  const candidates = metrics.histogram(
    "ikg_decision_candidates",
    "Candidates of a decision: ACTIVE policies of its subject type, action and resource type, before tags.",
    [],
    // Up to the policies that a project may have.
    [0, ...countBuckets, 512, 1_024, 2_048],
  );
  const database = metrics.histogram(
    "ikg_decision_database_seconds",
    "Time that a decision waited for the database, all of its statements together.",
  );
  return (decide) => async (snapshot, evaluation, options) => {
    let waitedMs = 0;
    const onStatement = (ms: number): void => {
      waitedMs += ms;
      options.onStatement?.(ms);
    };
    candidates.observe(candidatesOf(snapshot, evaluation).length);
    try {
      const answer = await decide(snapshot, evaluation, { ...options, onStatement });
      decisions.inc({ outcome: answer.decision ? "granted" : "denied" });
      return answer;
    } catch (error) {
      decisions.inc({ outcome: failureOutcome(error, options.signal) });
      throw error;
    } finally {
      database.observe(waitedMs / 1000);
    }
  };
};

import type { Tracing } from "@ikg/service";
import { candidatesOf } from "./candidates.ts";
import type { Decide } from "./decide.ts";

/** Traces each decision as a span that names its candidate policies, with the time of its statements. */
export const withTracing =
  (tracing: Tracing) =>
  (decide: Decide): Decide => {
    if (!tracing.isEnabled) return decide;
    return (snapshot, evaluation, options) => {
      const policies = candidatesOf(snapshot, evaluation).map(({ id, version }) => `${id}@${version}`);
      const onStatement = (ms: number): void => {
        options.onStatement?.(ms);
        tracing.recordFinished("database", ms, { "db.system.name": "neo4j" });
      };
      return tracing.span("decide", { "ikg.policies": policies }, () =>
        decide(snapshot, evaluation, { ...options, onStatement }),
      );
    };
  };

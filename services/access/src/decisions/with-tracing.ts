import type { Tracing } from "@ikg/service";
import type { Decide } from "./decide.ts";

/** Traces each decision as a span that names its candidate policies, with the time of its statements. */
export const withTracing =
  (tracing: Tracing) =>
  (decide: Decide): Decide => {
    if (!tracing.isEnabled) return decide;
    return (snapshot, evaluation, options) => {
      const { subject, resource, action } = evaluation;
      const candidates = snapshot.kbacCandidates(subject.type, action.name, resource.type);
      const policies = candidates.map(({ id, version }) => `${id}@${version}`);
      const onStatement = (ms: number): void => {
        options.onStatement?.(ms);
        tracing.recordFinished("database", ms, { "db.system.name": "neo4j" });
      };
      return tracing.span("decide", { "ikg.policies": policies }, () =>
        decide(snapshot, evaluation, { ...options, onStatement }),
      );
    };
  };

import type { Tracing } from "@ikg/service";
import type { Decide } from "./decide.ts";

/** The same decisions, each a span that names its policies, with what it waited for. */
export const withTracing = (decide: Decide, tracing: Tracing): Decide => {
  if (!tracing.on) return decide;
  return (view, evaluation, options) => {
    const { subject, resource, action } = evaluation;
    const candidates = view.kbacCandidates(subject.type, action.name, resource.type);
    const policies = candidates.map(({ id, version }) => `${id}@${version}`);
    const onAsked = (ms: number): void => {
      options.onAsked?.(ms);
      tracing.past("database", ms, { "db.system.name": "neo4j" });
    };
    return tracing.span("decide", { "ikg.policies": policies }, () =>
      decide(view, evaluation, { ...options, onAsked }),
    );
  };
};

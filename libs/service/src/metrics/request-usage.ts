import type { Problem } from "@ikg/contracts";
import type { Metrics } from "./metrics.ts";

/** Counts what projects ask for, and what they are refused. */
export interface RequestUsage {
  request(project: string): void;
  /** A request that ended with this problem; one of a limit counts. */
  failed(project: string, problem: Problem): void;
}

/** Refusals begin with the name of their limit, as docs/limits.md says. */
const limitOf = ({ errors }: Problem): string => /^([\w ]{1,60}):/.exec(errors[0] ?? "")?.[1] ?? "unnamed";

export const openRequestUsage = (metrics: Metrics): RequestUsage => {
  const requests = metrics.counter(
    "ikg_project_requests_total",
    "Requests of a project that were answered.",
    ["project"],
  );
  const refusals = metrics.counter(
    "ikg_project_refusals_total",
    "Requests of a project that were refused with 429, by the limit.",
    ["project", "limit"],
  );
  const refuse = metrics.projects.counts(refusals, "limit");
  return {
    request: metrics.projects.counts(requests),
    failed: (project, problem) => {
      if (problem.code === "too_many_requests") refuse(project, 1, limitOf(problem));
    },
  };
};

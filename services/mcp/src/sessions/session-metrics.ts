import { sampleRepeatedly, type Service } from "@ikg/service";
import type { Sessions } from "./sessions.ts";

/** Samples how many sessions projects have; all processes that serve them report the same numbers. */
export const watchSessions = (
  sessions: Pick<Sessions, "counts">,
  metrics: Service["metrics"],
): { close(): Promise<void> } => {
  const gauge = metrics.gauge("ikg_project_sessions", "Open MCP sessions of a project.", ["project"]);
  return sampleRepeatedly(async () => metrics.projects.show(gauge, await sessions.counts()));
};

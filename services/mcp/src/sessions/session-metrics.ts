import { sampleRepeatedly, type Service } from "@ikg/service";
import type { Sessions } from "./sessions.ts";

/** Looks every few seconds how many sessions projects have; the same numbers for all processes that serve them. */
export const watchSessions = (
  sessions: Pick<Sessions, "counts">,
  metrics: Service["metrics"],
): { close(): Promise<void> } => {
  const gauge = metrics.gauge("ikg_project_sessions", "Open MCP sessions of a project.", ["project"]);
  return sampleRepeatedly(async () => metrics.projects.show(gauge, await sessions.counts()));
};

import type { CatalogProject } from "@ikg/catalog";
import type { AuditTrail } from "@ikg/service";
import type { Run } from "./run-record.ts";

/** Emits the audit record of a run that ends. */
export type RecordRun = (run: Run, end: string, outcome: "success" | "failed") => Promise<void>;

export const recordRuns =
  (projects: { project(id: string): Promise<CatalogProject | undefined> }, trail: AuditTrail): RecordRun =>
  async ({ profileId, projectId, runId, total, startTime }, end, outcome) => {
    const organization = (await projects.project(projectId))?.organizationId;
    if (organization === undefined) return;
    await trail.recordSystemEvent(organization, () => ({
      type: "audit.trustscore.run",
      chain: projectId,
      data: { profile_id: profileId, run_id: runId, nodes: total, start_time: startTime, end_time: end },
      outcome,
    }));
  };

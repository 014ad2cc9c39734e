import type { CatalogProject } from "@ikg/catalog";
import type { AuditTrail } from "@ikg/service";
import { importNotes } from "./import-notes.ts";
import type { ImportParts } from "./imports.ts";

/** Emits audit records of the outcome of an import's rows; its acceptance emitted its own. */
export const recordImportEnd =
  (
    projects: { project(id: string): Promise<CatalogProject | undefined> },
    trail: AuditTrail,
  ): ImportParts["onEnded"] =>
  async (record) => {
    const organization = (await projects.project(record.projectId))?.organizationId;
    if (organization === undefined) return;
    const { nodesWritten: nodes, relationshipsWritten: relationships } = record.outcome;
    for (const note of importNotes(record, { nodes, relationships }))
      await trail.recordSystemEvent(organization, () => note);
  };

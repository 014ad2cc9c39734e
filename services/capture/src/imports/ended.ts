import type { CatalogProject } from "@ikg/catalog";
import type { AuditTrail } from "@ikg/service";
import { importNotes } from "./import-notes.ts";
import type { ImportParts } from "./imports.ts";

/** Leaves records of what became of the rows of an import; its acceptance left its own. */
export const importEnded =
  (
    projects: { project(id: string): Promise<CatalogProject | undefined> },
    trail: AuditTrail,
  ): ImportParts["ended"] =>
  async (record) => {
    const organization = (await projects.project(record.projectId))?.organizationId;
    if (organization === undefined) return;
    const { nodesWritten: nodes, relationshipsWritten: relationships } = record.outcome;
    for (const note of importNotes(record, { nodes, relationships }))
      await trail.own(organization, () => note);
  };

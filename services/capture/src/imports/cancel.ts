import { type Gid, type Import, Problem } from "@ikg/contracts";
import { closeImport } from "./close-import.ts";
import type { ImportParts } from "./imports.ts";
import { findImport } from "./read-imports.ts";
import { stateOf } from "./state.ts";

/**
 * Cancels an import: rows that are written stay, the others are forgotten. Cancelling it again changes nothing.
 *
 * @throws Problem `not_found` (404), `conflict` (409) when it has ended otherwise.
 */
export const cancelImport =
  (parts: ImportParts) =>
  async (projectId: Gid, id: string): Promise<Import> => {
    const found = await findImport(parts, projectId, id);
    const records = await parts.recordsFor(projectId);
    const ended = await records.end(found.id, {
      status: "cancelled",
      now: parts.now().toISOString(),
    });
    if (ended === undefined) {
      const now = await findImport(parts, projectId, id);
      if (now.status !== "cancelled") throw new Problem("conflict", { errors: [`import: is ${now.status}`] });
      return stateOf(parts, now);
    }
    const project = await parts.projects.project(projectId);
    if (project === undefined) throw new Problem("not_found");
    return stateOf(parts, await closeImport(parts, project, ended));
  };

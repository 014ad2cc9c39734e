import {
  type Gid,
  type Import,
  importLimits,
  type Imports,
  Problem,
  type RejectedLines,
} from "@ikg/contracts";
import { type ImportParts, stagingOf } from "./imports.ts";
import type { ImportRecord } from "./records.ts";
import { importPath, stateOf } from "./state.ts";

/** @throws Problem `not_found` (404) when the project has no such import. */
export const findImport = async (
  { recordsFor }: ImportParts,
  project: Gid,
  id: string,
): Promise<ImportRecord> => {
  const record = await (await recordsFor(project)).find(id, project);
  if (record === undefined) throw new Problem("not_found");
  return record;
};

/** One import of a project. */
export const readImport =
  (parts: ImportParts) =>
  async (project: Gid, id: string): Promise<Import> =>
    stateOf(parts, await findImport(parts, project, id));

/** The imports of a project, newest first. */
export const listImports =
  (parts: ImportParts) =>
  async (project: Gid): Promise<Imports> => {
    const records = await (await parts.recordsFor(project)).list(project, importLimits.listed);
    return { data: await Promise.all(records.map((record) => stateOf(parts, record))) };
  };

/** A page of the lines that were not written, in their order, and why. */
export const listRejected =
  (parts: ImportParts) =>
  async (
    projectId: Gid,
    id: string,
    { page_token: after, page_size: size }: { readonly page_token: number; readonly page_size: number },
  ): Promise<RejectedLines> => {
    const record = await findImport(parts, projectId, id);
    const project = await parts.projects.project(projectId);
    if (project === undefined) throw new Problem("not_found");
    const data = await stagingOf(parts, project, record.id).rejectedAfter(after, size + 1);
    const page = data.slice(0, size);
    const last = page.at(-1);
    return {
      data: page.map(({ line, errors }) => ({ line, errors: [...errors] })),
      ...(data.length > size && last !== undefined
        ? { next_href: `${importPath(id)}/rejected?page_size=${size}&page_token=${last.line}` }
        : {}),
    };
  };

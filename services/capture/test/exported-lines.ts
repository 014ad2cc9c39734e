import type { ImportProject } from "./import-project.ts";

/** The lines of a complete export, the last one apart. */
export const exportedLines = async (
  project: ImportProject,
  query = "",
): Promise<{ readonly lines: readonly string[]; readonly complete: unknown }> => {
  const response = await project.export(query);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  const lines = text.split("\n").filter((line) => line !== "");
  const last = JSON.parse(lines.at(-1) ?? "{}") as { complete?: unknown };
  return { lines: lines.slice(0, -1), complete: last.complete };
};

/** Writes lines to a project, all of them. */
export const importAll = async (project: ImportProject, lines: readonly unknown[]): Promise<void> => {
  const ended = await project.ended(await project.begin(lines), 120_000);
  if (ended.status === "done" && ended.rejected.count === 0) return;
  throw new Error(JSON.stringify([ended, await project.rejected(ended.id)]));
};

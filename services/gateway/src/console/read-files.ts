import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileTypes, type StaticFile, staticFile } from "../static-files/static-file.ts";

/** One built file. */
export interface ConsoleFile extends StaticFile {
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

const types: ReadonlyMap<string, string> = new Map(Object.entries(fileTypes));

const readFile = (path: string, name: string): ConsoleFile | undefined => {
  const type = types.get(name.slice(name.lastIndexOf(".") + 1));
  if (type === undefined) return undefined;
  return { ...staticFile(type, readFileSync(path)), isImmutable: name.startsWith("assets/") };
};

/**
 * Reads the built console once: a request chooses among these names and reaches no file system.
 *
 * @returns the files by their path below the folder; undefined where none was built.
 */
export const readConsoleFiles = (folder: string): ReadonlyMap<string, ConsoleFile> | undefined => {
  const files = new Map<string, ConsoleFile>();
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return undefined;
  }
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    const file = readFile(path, name);
    if (file !== undefined) files.set(name, file);
  }
  return files.has("index.html") ? files : undefined;
};

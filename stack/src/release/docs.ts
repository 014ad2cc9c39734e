/** The documentation of a release, which is read without the repository. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { linksOf } from "../../../docs/links.ts";
import { copyInto, packArchive } from "./archive.ts";
import type { RunOptions } from "./run.ts";

const folders = ["docs", "examples", "monitoring"];

/** The files of a folder; programs that write tables of pages are no documentation. */
const filesBelow = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(root, path);
    return entry.name.endsWith(".ts") ? [] : [path];
  });

/**
 * Every page of the root and of `docs`, and what pages link to, such as tests that the threat model names.
 *
 * @param root of the repository
 * @returns paths of files, relative to it
 * @throws Error for a link to a file that there is not
 */
const documentation = (root: string): ReadonlySet<string> => {
  const found = new Set<string>();
  const add = (path: string): void => {
    if (statSync(join(root, path)).isDirectory()) {
      for (const file of filesBelow(root, path)) add(file);
      return;
    }
    if (found.has(path)) return;
    found.add(path);
    if (!path.endsWith(".md")) return;
    for (const target of linksOf(readFileSync(join(root, path), "utf8"))) add(join(dirname(path), target));
  };
  const pages = readdirSync(root).filter((name) => name.endsWith(".md"));
  for (const path of [...pages, "LICENSE", ...folders]) add(path);
  return found;
};

/** @returns the name of the archive */
export const packDocs = (folder: string, version: string, options: RunOptions): Promise<string> =>
  packArchive(folder, `docs-${version}.tar.gz`, options, (into) =>
    copyInto(join(into, `docs-${version}`), options.cwd, documentation(options.cwd)),
  );

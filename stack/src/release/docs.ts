/** The documentation of a release, which is read without the repository. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { linksOf } from "../documentation/links.ts";
import { copyInto, packArchive, trackedFiles } from "./archive.ts";
import type { RunOptions } from "./run.ts";

const folders = ["docs", "examples", "monitoring"];

/**
 * Every page of the root and of `docs`, and what pages link to, such as tests that the threat model names.
 *
 * @param root of the repository
 * @returns paths of files, relative to it
 * @throws Error for a link to a file that git does not track
 */
const documentation = (root: string): ReadonlySet<string> => {
  const tracked = new Set(trackedFiles(root, ["."]));
  const found = new Set<string>();
  /** Adds the files of a folder; sources are no documentation. */
  const addFolder = (folder: string): void => {
    const files = [...tracked].filter((path) => path.startsWith(`${folder}/`));
    if (files.length === 0) throw new Error(`git tracks no ${folder}, to which a page links`);
    for (const path of files) if (!path.endsWith(".ts")) add(path);
  };
  const add = (path: string): void => {
    if (!tracked.has(path)) {
      addFolder(path.replace(/\/$/, ""));
      return;
    }
    if (found.has(path)) return;
    found.add(path);
    if (!path.endsWith(".md")) return;
    for (const target of linksOf(readFileSync(join(root, path), "utf8"))) add(join(dirname(path), target));
  };
  const pages = [...tracked].filter((path) => !path.includes("/") && path.endsWith(".md"));
  for (const path of [...pages, "LICENSE", ...folders]) add(path);
  return found;
};

/** @returns the name of the archive */
export const packDocs = (folder: string, version: string, options: RunOptions): Promise<string> =>
  packArchive(folder, `docs-${version}.tar.gz`, options, (into) =>
    copyInto(join(into, `docs-${version}`), options.cwd, documentation(options.cwd)),
  );

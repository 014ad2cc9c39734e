/** The published packages, as npm packs them. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, type RunOptions } from "./run.ts";

/** Folders of the packages; each has a `build.ts`. */
export const publishedPackages = ["libs/client", "apps/cli"] as const;

/** @returns the names of the archives */
export const packPackages = async (folder: string, options: RunOptions): Promise<readonly string[]> => {
  mkdirSync(folder, { recursive: true });
  const archives = [];
  for (const each of publishedPackages) {
    const built = mkdtempSync(join(tmpdir(), "ikg-release-"));
    try {
      await run(process.execPath, [join(each, "build.ts"), built], options);
      const packed = await run("npm", ["pack", "--pack-destination", folder, "--json"], {
        ...options,
        cwd: built,
      });
      const [{ filename = "" } = {}] = Object.values(JSON.parse(packed) as { filename?: string }[]); // as npm describes what it packed
      archives.push(filename);
    } finally {
      rmSync(built, { recursive: true, force: true });
    }
  }
  return archives;
};

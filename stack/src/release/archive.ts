/** Archives of files of the repository, at the paths that they have there. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, type RunOptions } from "./run.ts";

/** Copies files and whole folders. @param names relative to `from`, and then to `into` */
export const copyInto = (into: string, from: string, names: Iterable<string>): void => {
  for (const name of names) cpSync(join(from, name), join(into, name), { recursive: true });
};

export const rewrite = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, "utf8")));

/**
 * Packs what `fill` puts into an empty folder; entries do not begin with `./`, which Helm refuses.
 *
 * @param archive its name in `folder`
 * @returns that name
 */
export const packArchive = async (
  folder: string,
  archive: string,
  options: RunOptions,
  fill: (into: string) => void,
): Promise<string> => {
  const into = mkdtempSync(join(tmpdir(), "ikg-release-"));
  try {
    fill(into);
    // The same files make the same archive. What is mounted is read by users of containers.
    const owners = ["--owner=0", "--group=0", "--numeric-owner", "--mode=go+u,go-w"];
    const fixed = ["--sort=name", "--mtime=@0", ...owners];
    const names = readdirSync(into).toSorted();
    await run("tar", [...fixed, "-czf", join(folder, archive), "-C", into, ...names], options);
    return archive;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
};

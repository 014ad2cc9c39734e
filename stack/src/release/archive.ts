/** Archives of files of the repository, at the paths that they have there. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, type RunOptions } from "./run.ts";

/**
 * The files that git tracks: what else lies in a folder, such as secrets and logs, is in no archive.
 *
 * @param root a folder of the repository
 * @param names of files and of whole folders, relative to it
 * @returns paths of files, relative to it
 * @throws Error for a name of no such file
 */
export const trackedFiles = (root: string, names: Iterable<string>): readonly string[] =>
  execFileSync("git", ["--literal-pathspecs", "ls-files", "-z", "--error-unmatch", "--", ...names], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 100_000_000,
    stdio: ["ignore", "pipe", "pipe"],
  })
    .split("\0")
    .filter((path) => path !== "");

/** Copies tracked files and folders. @param names as of `trackedFiles`, and then relative to `into` */
export const copyInto = (into: string, from: string, names: Iterable<string>): void => {
  for (const path of trackedFiles(from, names)) cpSync(join(from, path), join(into, path));
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

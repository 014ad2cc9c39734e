/** The source tree of a former release, with or without its packages. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../repository.ts";

export interface FormerTree {
  readonly folder: string;
  remove(): void;
}

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/**
 * Checks a commit out beside this tree.
 *
 * @param commit its id, or its tag
 * @throws Error where this is no git clone, or the clone does not have it
 */
export const checkOutSources = (commit: string): FormerTree => {
  const git = (...args: readonly string[]): string => run("git", args, repository);
  try {
    git("cat-file", "-e", `${commit}^{commit}`);
  } catch (cause) {
    throw new Error(
      `${commit}, from which the former services run, is not in this clone: git fetch --tags, with --unshallow in a shallow clone`,
      { cause },
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "ikg-former-"));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    git("worktree", "prune");
  };
  try {
    git("worktree", "add", "--detach", "--force", folder, commit);
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
};

/** The same, with its locked packages, from pnpm's store where they are there. */
export const checkOutFormer = (commit: string): FormerTree => {
  const tree = checkOutSources(commit);
  try {
    const { pnpm } = JSON.parse(readFileSync(join(tree.folder, "stack", "versions.json"), "utf8")) as {
      pnpm: string;
    };
    run("npx", ["-y", `pnpm@${pnpm}`, "install", "--frozen-lockfile", "--prefer-offline"], tree.folder);
    return tree;
  } catch (error) {
    tree.remove();
    throw error;
  }
};

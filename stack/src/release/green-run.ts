/** The record of a whole test run that passed, which a release asks for. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Refusal } from "../../launch/refusal.mjs";
import { inRepository, repository } from "../repository.ts";

const file = inRepository(".tools", "green-run.json");

export interface GreenRun {
  readonly commit: string;
  /** Of `npm run test:long`. */
  readonly isLong: boolean;
  /** RFC 3339. */
  readonly endTime: string;
}

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, {
    cwd: repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

/** The commit of the working tree; undefined where files differ from it, or there is no git. */
export const cleanCommit = (): string | undefined => {
  try {
    return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : undefined;
  } catch {
    return undefined;
  }
};

/** Notes how a whole run ended. @param commit of the tree when it began */
export const noteRun = (commit: string | undefined, passed: boolean, isLong: boolean): void => {
  rmSync(file, { force: true });
  if (!passed || commit === undefined || commit !== cleanCommit()) return;
  const run: GreenRun = { commit, isLong, endTime: new Date().toISOString() };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(run));
};

/**
 * The run that shows that a commit passes every test.
 *
 * @throws Refusal when there is none
 */
export const requireGreenRun = (commit: string, text: string | undefined = readRecord()): GreenRun => {
  const run = text === undefined ? undefined : (JSON.parse(text) as GreenRun); // written above
  if (run?.commit === commit && run.isLong) return run;
  const found =
    run === undefined
      ? "no whole run has passed here"
      : `the last one that passed here was npm ${run.isLong ? "run test:long" : "test"} of ${run.commit.slice(0, 12)}`;
  throw new Refusal(
    `A release needs npm run test:long to pass on its commit ${commit.slice(0, 12)}; ${found}. --skip-tests "REASON" goes without.`,
  );
};

const readRecord = (): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

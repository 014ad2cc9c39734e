/** The record of a whole test run that passed, which a release asks for. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "../../launch/user-error.mjs";
import { inRepository, repository } from "../repository.ts";

const file = inRepository(".tools", "green-run.json");

export interface GreenRun {
  readonly commit: string;
  /** Where it began, if that was another commit: between the two only test files changed. */
  readonly firstCommit?: string | undefined;
  /** Of `npm run test:long`. */
  readonly isLong: boolean;
  /** RFC 3339. */
  readonly endTime: string;
  /** Tests that were skipped: file and name, which has the reason. */
  readonly skipped: readonly string[];
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

/** The files that differ between a commit and this one; a file that was renamed counts as two. @throws UserError */
export const changedSince = (commit: string): readonly string[] => {
  try {
    return git("diff", "--name-only", "--no-renames", commit, "HEAD")
      .split("\n")
      .filter((name) => name !== "");
  } catch {
    throw new UserError(`This repository does not have the commit ${commit.slice(0, 12)}.`);
  }
};

/** How a whole run ended. */
export interface EndedRun extends Omit<GreenRun, "commit" | "endTime"> {
  /** Of the tree when it began; undefined where files differed from it. */
  readonly commit: string | undefined;
  readonly passed: boolean;
}

/**
 * What is on record after a run. A long run stays on record until another long one passes, or a run of its commit fails: what was
 * tested since, in the course of other work, says nothing about it.
 *
 * @param commit of the tree now
 * @param endTime RFC 3339
 */
export const recordAfter = (
  former: GreenRun | undefined,
  { passed, commit: first, ...rest }: EndedRun,
  commit: string | undefined,
  endTime: string,
): GreenRun | undefined => {
  if (!passed) return former?.commit === first ? undefined : former;
  if (first === undefined || first !== commit) return former;
  if (former?.isLong === true && !rest.isLong) return former;
  return { commit: first, ...rest, endTime };
};

/** What is on record; undefined where nothing is, or its file was cut. */
const readRecord = (): GreenRun | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as GreenRun; // written below
  } catch {
    return undefined;
  }
};

/** Notes how a whole run ended. */
export const noteRun = (ended: EndedRun): void => {
  const former = readRecord();
  const record = recordAfter(former, ended, cleanCommit(), new Date().toISOString());
  if (record === former) return;
  rmSync(file, { force: true });
  if (record === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(record));
};

/** A run that skipped tests, and why a release is made all the same. */
export interface AcceptedRun extends GreenRun {
  /** Undefined where no test was skipped. */
  readonly skippedAccepted?: string;
}

/**
 * The run that shows that a commit passes every test.
 *
 * @param accepted why tests that were skipped do not matter
 * @throws UserError when there is none, or it skipped tests and no reason accepts that
 */
export const requireGreenRun = (
  commit: string,
  accepted: string | undefined,
  run: GreenRun | undefined = readRecord(),
): AcceptedRun => {
  if (run?.commit === commit && run.isLong) {
    if (run.skipped.length === 0) return run;
    if (accepted !== undefined) return { ...run, skippedAccepted: accepted };
    throw new UserError(
      [
        `npm run test:long passed on ${commit.slice(0, 12)}, and skipped ${run.skipped.length} tests:`,
        ...run.skipped.map((name) => `  ${name}`),
        `Run it again with what they need, or accept that with --accept-skipped "REASON".`,
      ].join("\n"),
    );
  }
  const found =
    run === undefined
      ? "no whole run has passed here"
      : `on record is npm ${run.isLong ? "run test:long" : "test"} of ${run.commit.slice(0, 12)}`;
  throw new UserError(
    `A release needs npm run test:long to pass on its commit ${commit.slice(0, 12)}; ${found}. To release without it, pass --skip-tests "REASON".`,
  );
};

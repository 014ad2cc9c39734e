/** A home for one run of tests or measurements, removed at the end. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, self } from "../launch/identity.mjs";
import type { Home } from "./home.ts";
import { openHome, writePrivate } from "./home.ts";
import { endOrphans } from "./processes/orphans.ts";
import { isIdentity } from "./processes/record.ts";
import { inRepository } from "./repository.ts";

const prefix = "ikg-scratch-";

/** A home that has just been made does not name its owner yet. */
const youngMs = 30_000;

/** Names the process that made a home and removes it: no suite need run there at every moment until then. */
const ownerFile = (root: string): string => join(root, "owner.json");

const isOwned = (root: string): boolean => {
  try {
    const owner: unknown = JSON.parse(readFileSync(ownerFile(root), "utf8"));
    return isIdentity(owner) && isAlive(owner);
  } catch {
    return false;
  }
};

/** Where the logs of a run that failed are kept. */
export const keptLogs = inRepository(".tools", "last-failure");

/** Homes of runs that were killed: their processes are ended and their folders removed. */
const removeAbandoned = async (): Promise<void> => {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    try {
      const path = join(tmpdir(), name);
      if (Date.now() - statSync(path).mtimeMs < youngMs) continue;
      if (isOwned(path)) continue;
      await endOrphans(openHome(path));
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Of another user.
    }
  }
};

export interface Scratch {
  readonly home: Home;
  /** Removes it; `failed` keeps the logs. */
  remove(failed: boolean): void;
}

export const makeScratch = async (): Promise<Scratch> => {
  await removeAbandoned();
  const home = openHome(mkdtempSync(join(tmpdir(), prefix)));
  writePrivate(ownerFile(home.root), self());
  return {
    home,
    remove: (failed) => {
      rmSync(keptLogs, { recursive: true, force: true });
      if (failed) cpSync(home.logs, keptLogs, { recursive: true });
      rmSync(home.root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

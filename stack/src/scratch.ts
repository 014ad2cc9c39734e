/** A home for one run of tests or measurements, removed at the end. */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readClaim } from "./claim.ts";
import type { Home } from "./home.ts";
import { openHome } from "./home.ts";
import { endOrphans } from "./processes/orphans.ts";
import { inRepository } from "./repository.ts";

const prefix = "ikg-scratch-";

/** A home that has just been made has not been claimed yet. */
const youngMs = 30_000;

/** Where the logs of a run that failed are kept. */
export const keptLogs = inRepository(".tools", "last-failure");

/** Homes of runs that were killed: their processes are ended and their folders removed. */
const removeAbandoned = async (): Promise<void> => {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    try {
      const path = join(tmpdir(), name);
      if (Date.now() - statSync(path).mtimeMs < youngMs) continue;
      const home = openHome(path);
      if (readClaim(home)) continue;
      await endOrphans(home);
      rmSync(home.root, { recursive: true, force: true });
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
  return {
    home,
    remove: (failed) => {
      rmSync(keptLogs, { recursive: true, force: true });
      if (failed) cpSync(home.logs, keptLogs, { recursive: true });
      rmSync(home.root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

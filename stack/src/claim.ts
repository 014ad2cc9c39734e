/** One suite per IKG_HOME: who runs it, where, and whether it is ready. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Identity } from "../launch/identity.mjs";
import { isAlive, self } from "../launch/identity.mjs";
import { withLock } from "../launch/lock.mjs";
import { UserError } from "../launch/user-error.mjs";
import type { Home } from "./home.ts";
import { shortPath, writePrivate } from "./home.ts";
import { isIdentity } from "./processes/record.ts";

export interface Claim {
  readonly owner: Identity;
  /** of the gateway, when it was chosen beforehand */
  readonly port?: number;
}

const isClaim = (value: unknown): value is Claim =>
  typeof value === "object" && value !== null && isIdentity(Reflect.get(value, "owner"));

/** The claim of a living suite; undefined when none runs. */
export const readClaim = (home: Home): Claim | undefined => {
  try {
    const claim: unknown = JSON.parse(readFileSync(home.claimFile, "utf8"));
    return isClaim(claim) && isAlive(claim.owner) ? claim : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Claims the home for this process.
 *
 * @returns gives it back
 * @throws UserError when a suite runs there
 */
export const claimHome = (home: Home, port: number | undefined): Promise<() => void> =>
  withLock(join(home.run, "lock"), () => {
    const running = readClaim(home);
    if (running) {
      const at = running.port === undefined ? "" : `, port ${running.port}`;
      throw new UserError(
        `IKG already runs in ${shortPath(home.root)} (process ${running.owner.pid}${at}). ` +
          "End it with npm stop, or set IKG_HOME and PORT to start another one.",
      );
    }
    writePrivate(home.claimFile, { owner: self(), ...(port === undefined ? {} : { port }) } satisfies Claim);
    return () => rmSync(home.claimFile, { force: true });
  });

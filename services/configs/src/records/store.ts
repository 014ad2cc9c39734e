import {
  type AdministratorCaller,
  type Gid,
  type Permission,
  Problem,
  type Reach,
  reaches,
  reachOf,
  grantorRoles,
} from "@ikg/contracts";
import type { Database, Graph } from "@ikg/graph";
import type { KeyRing } from "@ikg/secrets";
import type { Collections } from "./collection.ts";
import type { ListMemory } from "./list-memory.ts";
import type { Planning } from "./planning-limits.ts";
import type { UsageLimits } from "./usage.ts";

/** The storage of records, and the limits that apply to it. */
export interface Store {
  /**
   * The shared database for the requests of an administrator: they take turns with those of other organizations, so they may wait,
   * and fail with Problem `too_many_requests` (429) or `unavailable` (503) when they waited for too long.
   */
  readonly databaseOf: (caller: Pick<CallerContext, "organizationId">) => Database;
  /** Opens the databases of projects that have one of their own. */
  readonly graph: Pick<Graph, "of" | "shared">;
  readonly collections: Collections;
  /** Seal and open the secrets of records. */
  readonly keys: KeyRing;
  /** A change without `If-Match` is refused. */
  readonly requireIfMatch: boolean;
  /** Reads leave audit records, too. */
  readonly recordReads: boolean;
  /** Bounds what the database plans of policies and queries. */
  readonly planning: Planning;
  readonly usage: UsageLimits;
  /** Bounds the lists that are held at one time. */
  readonly lists: ListMemory;
  /** Bytes of one list at most. */
  readonly listBytes: number;
  /** Former versions of a record that stay readable. */
  readonly keptVersions: number;
  readonly now: () => Date;
}

/** The caller: whose records are visible, who is recorded as their author, and until when the request lasts. */
export interface CallerContext {
  readonly organizationId: Gid;
  /** A service account's gid, or a person's issuer and subject. */
  readonly accountId: string;
  readonly administrator: AdministratorCaller;
  /** Where the caller may do what the request asks for. */
  readonly reach: Reach;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/**
 * @param projectId of what is read or changed; undefined for what belongs to the organization alone.
 * @throws Problem `role_missing` (403) where the caller has no role that allows it there.
 */
export const requireReach = ({ reach }: CallerContext, projectId: Gid | undefined): void => {
  if (!reaches(reach, projectId)) throw new Problem("role_missing");
};

/**
 * @param permissions that a change grants to the keys of an agent in this project.
 * @throws Problem `role_missing` (403) where one of them permits what the caller's own roles do not.
 */
export const requireGrantorRole = (
  { administrator }: CallerContext,
  permissions: readonly Permission[],
  projectId: Gid | undefined,
): void => {
  for (const permission of permissions) {
    const roles = grantorRoles.get(permission);
    if (roles === undefined || reaches(reachOf(administrator, roles), projectId)) continue;
    const message = `the caller has no role that permits what an agent with ${permission} may do`;
    throw new Problem("role_missing", { message });
  }
};

/** Shorter than the gateway's timeout, longer than a cold database needs to plan a few statements. */
const timeoutMs = 25_000;

export const statementOptions = ({ requestId, signal }: CallerContext) => ({ timeoutMs, requestId, signal });

import { type Gid, Problem } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { runScript } from "./run-script.ts";
import { releaseScript, reserveScript, touchScript } from "./scripts.ts";

/**
 * Counts the open sessions of an organization, over all of its projects and all replicas. A session is counted before it is opened,
 * as long as it is used, and until it has ended. The count is too low by a session whose use could not be noted, which is forgotten
 * before it expires, and by sessions of a release that did not count them; it is too high by what a killed process leaves, until a
 * session would have expired.
 *
 * All of it throws Problem "unavailable" (503) when Redis is unavailable.
 */
export interface OrganizationSessions {
  /**
   * Counts a session that is about to be opened.
   *
   * @throws Problem "too_many_requests" (429) when the organization has as many as it may have.
   */
  reserve(organization: Gid, id: string): Promise<void>;
  /** Notes that a session was used now. One that is not counted stays so: it may have ended meanwhile. */
  touch(organization: Gid, id: string): Promise<void>;
  /** Counts sessions no longer. */
  release(organization: Gid, ids: readonly string[]): Promise<void>;
}

const tooMany = (limit: number): Problem =>
  new Problem("too_many_requests", {
    headers: { "Retry-After": "5" },
    errors: [
      `sessions: the projects of the organization have ${limit} open sessions (setting MCP_SESSIONS_PER_ORGANIZATION, ${limit})`,
    ],
  });

const keysOf = (organization: Gid): readonly string[] => [`ikg:mcp:{${organization}}:organization`];

/**
 * @param idleMs milliseconds without use after which a session ends.
 * @param limit open sessions of one organization.
 */
export const openOrganizationSessions = (
  redis: Redis,
  idleMs: number,
  limit: number,
): OrganizationSessions => ({
  reserve: async (organization, id) => {
    const reserved = await runScript(redis, reserveScript, keysOf(organization), idleMs, id, limit);
    if (reserved !== 1) throw tooMany(limit);
  },
  touch: async (organization, id) => {
    await runScript(redis, touchScript, keysOf(organization), idleMs, id);
  },
  release: async (organization, ids) => {
    if (ids.length > 0) await runScript(redis, releaseScript, keysOf(organization), ...ids);
  },
});

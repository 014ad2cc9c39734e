import { createHash, randomUUID } from "node:crypto";
import type { Token } from "@ikg/auth";
import { type Gid, Problem } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { runScript } from "./run-script.ts";
import { openOrganizationSessions } from "./organization-sessions.ts";
import { endScript, openScript, useScript } from "./scripts.ts";

/** To whom a session belongs: the subject of a token, as one configuration sees it, in one project. */
export interface Owner {
  /** That of the project. */
  readonly organization: Gid;
  readonly project: Gid;
  readonly user: Token;
}

export interface SessionLimits {
  readonly idleMs: number;
  readonly perSubject: number;
  /** Of all projects of an organization together. */
  readonly perOrganization: number;
}

/** Sessions of the revision 2025-11-25. They live in Redis: any replica serves any of them, a restart loses none. */
export interface Sessions {
  /**
   * Opens one for its owner; of too many of one owner the one idle longest ends.
   *
   * @param version the negotiated protocol version.
   * @param limit sessions of the project at most.
   * @returns its id, which cannot be guessed.
   * @throws Problem "too_many_requests" (429) when the project or its organization has as many as it may have,
   *   "unavailable" (503) when Redis is unavailable.
   */
  open(owner: Owner, version: string, limit: number): Promise<string>;
  /** The version of a session of this owner, which counts as used now; undefined when the owner has no such session. */
  use(owner: Owner, id: string): Promise<string | undefined>;
  /** False when the owner has no such session. */
  end(owner: Owner, id: string): Promise<boolean>;
  /** Open sessions of the projects of which this process has lately served some. */
  counts(): Promise<ReadonlyMap<string, number>>;
}

/** The form of session ids; no other value is looked up. */
const idForm = /^[0-9a-f-]{36}$/;

const tooMany = (limit: number): Problem =>
  new Problem("too_many_requests", {
    headers: { "Retry-After": "5" },
    errors: [`sessions: the project has ${limit} open sessions (limit sessions, ${limit})`],
  });

/** Projects whose sessions are counted. */
const maxProjects = 1_000;

const prefixOf = (project: string): string => `ikg:mcp:{${project}}:`;

/** Sessions of each of these projects that were used since a time in milliseconds; none of those without any. */
const countSessions = async (
  redis: Redis,
  projects: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, number>> => {
  const counted = await Promise.all(
    projects.map(
      async (project) => [project, await redis.zcount(`${prefixOf(project)}all`, since, "+inf")] as const,
    ),
  );
  return new Map(counted.filter(([, count]) => count > 0));
};

export const openSessions = (
  redis: Redis,
  { idleMs, perSubject, perOrganization }: SessionLimits,
): Sessions => {
  const served = new LRUCache<string, true>({ max: maxProjects, ttl: idleMs });
  const ofOrganizations = openOrganizationSessions(redis, idleMs, perOrganization);
  const keysOf = ({ project, user }: Owner) => {
    served.set(project, true);
    const prefix = prefixOf(project);
    // Another configuration may map the same name to another user.
    const ownerId = createHash("sha256").update(`${user.configId}\0${user.subject}`).digest("base64url");
    return { ownerId, all: `${prefix}all`, own: `${prefix}of:${ownerId}`, session: `${prefix}session:` };
  };
  /** @returns 1, or 0 when the project is full, and then the owner's sessions that ended. */
  const openInProject = async (owner: Owner, id: string, version: string, limit: number) => {
    const { ownerId, all, own, session } = keysOf(owner);
    const args = [idleMs, session, id, ownerId, version, perSubject, limit];
    return (await runScript(redis, openScript, [all, own], ...args)) as [number, ...string[]]; // of that script
  };
  return {
    open: async (owner, version, limit) => {
      const { organization } = owner;
      const id = randomUUID();
      try {
        // Redis may have counted it also where its answer was lost.
        await ofOrganizations.reserve(organization, id);
        const [opened, ...surplus] = await openInProject(owner, id, version, limit);
        await ofOrganizations.release(organization, surplus);
        if (opened !== 1) throw tooMany(limit);
      } catch (error) {
        // Where that fails too, the organization is one session short until it would have expired.
        await ofOrganizations.release(organization, [id]).catch(() => undefined);
        throw error;
      }
      return id;
    },
    use: async (owner, id) => {
      if (!idForm.test(id)) return undefined;
      const { ownerId, all, own, session } = keysOf(owner);
      const version = await runScript(redis, useScript, [all, own, session + id], idleMs, id, ownerId);
      if (typeof version !== "string") return undefined;
      await ofOrganizations.touch(owner.organization, id);
      return version;
    },
    end: async (owner, id) => {
      if (!idForm.test(id)) return false;
      const { ownerId, all, own, session } = keysOf(owner);
      const ended = await runScript(redis, endScript, [all, own, session + id], idleMs, id, ownerId);
      if (ended !== 1) return false;
      await ofOrganizations.release(owner.organization, [id]);
      return true;
    },
    counts: () => countSessions(redis, [...served.keys()], Date.now() - idleMs),
  };
};

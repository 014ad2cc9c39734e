import { createHash, randomUUID } from "node:crypto";
import type { Token } from "@ikg/auth";
import { type Gid, Problem } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { endScript, openScript, useScript } from "./scripts.ts";

/** To whom a session belongs: the subject of a token, as one configuration sees it, in one project. */
export interface Owner {
  readonly project: Gid;
  readonly user: Token;
}

export interface SessionLimits {
  readonly idleMs: number;
  readonly perSubject: number;
}

/** Sessions of the revision 2025-11-25. They live in Redis: any replica serves any of them, a restart loses none. */
export interface Sessions {
  /**
   * Opens one for its owner; of too many of one owner the one idle longest ends.
   *
   * @param version the negotiated protocol version.
   * @param limit sessions of the project at most.
   * @returns its id, which cannot be guessed.
   * @throws Problem "too_many_requests" (429) when the project has as many, "unavailable" (503) when Redis is unavailable.
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

const away = (cause?: unknown): Problem =>
  new Problem("unavailable", { headers: { "Retry-After": "5" }, cause });

const tooMany = (limit: number): Problem =>
  new Problem("too_many_requests", {
    headers: { "Retry-After": "5" },
    errors: [`sessions: the project has ${limit} open sessions (limit sessions, ${limit})`],
  });

/** Projects whose sessions are counted. */
const maxProjects = 1_000;

const prefixOf = (project: string): string => `ikg:mcp:{${project}}:`;

export const openSessions = (redis: Redis, { idleMs, perSubject }: SessionLimits): Sessions => {
  const served = new LRUCache<string, true>({ max: maxProjects, ttl: idleMs });
  const keysOf = ({ project, user }: Owner) => {
    served.set(project, true);
    const prefix = prefixOf(project);
    // Another configuration may map the same name to another user.
    const owner = createHash("sha256").update(`${user.configId}\0${user.subject}`).digest("base64url");
    return { owner, all: `${prefix}all`, own: `${prefix}of:${owner}`, session: `${prefix}session:` };
  };
  const evaluate = async (script: string, keys: readonly string[], ...args: (string | number)[]) => {
    try {
      return await redis.eval(script, keys.length, ...keys, ...args);
    } catch (cause) {
      throw away(cause);
    }
  };
  return {
    open: async (whose, version, limit) => {
      const { owner, all, own, session } = keysOf(whose);
      const id = randomUUID();
      const limits = [perSubject, limit];
      const opened = await evaluate(openScript, [all, own], idleMs, session, id, owner, version, ...limits);
      if (opened !== 1) throw tooMany(limit);
      return id;
    },
    use: async (whose, id) => {
      if (!idForm.test(id)) return undefined;
      const { owner, all, own, session } = keysOf(whose);
      const version = await evaluate(useScript, [all, own, session + id], idleMs, id, owner);
      return typeof version === "string" ? version : undefined;
    },
    end: async (whose, id) => {
      if (!idForm.test(id)) return false;
      const { owner, all, own, session } = keysOf(whose);
      return (await evaluate(endScript, [all, own, session + id], idleMs, id, owner)) === 1;
    },
    counts: async () => {
      const since = Date.now() - idleMs;
      const counted = [...served.keys()].map(
        async (project) => [project, await redis.zcount(`${prefixOf(project)}all`, since, "+inf")] as const,
      );
      return new Map((await Promise.all(counted)).filter(([, count]) => count > 0));
    },
  };
};

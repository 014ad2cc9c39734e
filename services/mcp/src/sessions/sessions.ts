import { createHash, randomUUID } from "node:crypto";
import type { Token } from "@ikg/auth";
import { type Gid, Problem } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { endScript, openScript, useScript } from "./scripts.ts";

/** To whom a session belongs: the subject of a token, as one configuration sees it, in one project. */
export interface Owner {
  readonly project: Gid;
  readonly user: Token;
}

export interface SessionLimits {
  readonly idleMs: number;
  readonly perSubject: number;
  readonly perProject: number;
}

/** Sessions of the revision 2025-11-25. They live in Redis: any replica serves any of them, a restart loses none. */
export interface Sessions {
  /**
   * Opens one for its owner; of too many of one owner the one idle longest ends.
   *
   * @param version the negotiated protocol version.
   * @returns its id, which cannot be guessed.
   * @throws Problem "unavailable" (503) when the project has too many, or Redis is away.
   */
  open(owner: Owner, version: string): Promise<string>;
  /** The version of a session of this owner, which counts as used now; undefined when the owner has no such session. */
  use(owner: Owner, id: string): Promise<string | undefined>;
  /** False when the owner has no such session. */
  end(owner: Owner, id: string): Promise<boolean>;
}

/** The form of our ids; no other value is looked up. */
const idForm = /^[0-9a-f-]{36}$/;

const away = (cause?: unknown): Problem =>
  new Problem("unavailable", { headers: { "Retry-After": "5" }, cause });

export const openSessions = (redis: Redis, { idleMs, perSubject, perProject }: SessionLimits): Sessions => {
  const keysOf = ({ project, user }: Owner) => {
    const prefix = `ikg:mcp:{${project}}:`;
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
    open: async (whose, version) => {
      const { owner, all, own, session } = keysOf(whose);
      const id = randomUUID();
      const limits = [perSubject, perProject];
      const opened = await evaluate(openScript, [all, own], idleMs, session, id, owner, version, ...limits);
      if (opened !== 1) throw away();
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
  };
};

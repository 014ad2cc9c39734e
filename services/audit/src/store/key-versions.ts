import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { Chains } from "./chains.ts";

/** Version of the public keys of a chain, for those who keep them: absent while they have not changed for a minute. */
const versionKey = (project: string): string => `audit:keys:${project}`;
/** In place of a version while a key is being added: what is read meanwhile is not kept. */
const changing = "changing";
/** Longer than any cache keeps keys, and than adding one may take. */
const lifetimeSeconds = 60;

/** @returns undefined while nothing may be kept: a key is being added, or Redis does not say. */
export const keyVersion = async (redis: Redis, project: string): Promise<string | undefined> => {
  const version = await redis.get(versionKey(project)).catch(() => changing);
  return version === changing ? undefined : (version ?? "");
};

/** Chains whose writer announces a new key to all processes, before and after it adds it. */
export const withKeyVersions = (chains: Chains, redis: Redis): Chains => {
  const set = (project: string, version: string) =>
    redis.set(versionKey(project), version, "EX", lifetimeSeconds);
  const announcing = async <T>(project: string, isNew: boolean, write: () => Promise<T>): Promise<T> => {
    if (!isNew) return write();
    await set(project, changing);
    try {
      return await write();
    } finally {
      // Keys are not kept for a minute then, which is the longest that a write may be under way.
      await set(project, randomUUID()).catch(() => undefined);
    }
  };
  return {
    ...chains,
    append: (state, batch) =>
      announcing(state.project, batch.manifest.kid !== state.kid, () => chains.append(state, batch)),
    addCheckpoint: (state, checkpoint, key) =>
      announcing(state.project, checkpoint.kid !== state.kid, () =>
        chains.addCheckpoint(state, checkpoint, key),
      ),
  };
};

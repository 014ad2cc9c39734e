import type { Redis } from "ioredis";
import { boundsKey } from "./stream.ts";

/** Bytes of records that may wait in Redis. */
export interface WaitingBounds {
  /** Of all projects together. */
  readonly total: number;
  /** Of one project that states no limit of its own. */
  readonly project: number;
  /**
   * The last quarter of the total is for projects of which less than this waits: a project that fills the streams
   * leaves it to the others.
   */
  readonly reserve: number;
}

/** In force until the audit service has stated others. */
export const defaultBounds: WaitingBounds = {
  total: 256_000_000,
  project: 64_000_000,
  reserve: 512_000,
};

/** The part of the total that is open to every project. */
export const sharedPart = 0.75;

/** States the bounds for every process that emits records. */
export const stateBounds = async (
  redis: Redis,
  { total, project, reserve }: WaitingBounds,
): Promise<void> => {
  await redis.hset(boundsKey, { total, project, reserve });
};

const common: ReadonlySet<string> = new Set<keyof WaitingBounds>(["total", "project", "reserve"]);

/** Chains with a bound of their own. */
export const chainsWithBounds = async (redis: Redis): Promise<readonly string[]> =>
  (await redis.hkeys(boundsKey)).filter((field) => !common.has(field));

/** @param bytes undefined when the project has no limit of its own. */
export const stateProjectBound = async (
  redis: Redis,
  chain: string,
  bytes: number | undefined,
): Promise<void> => {
  if (bytes === undefined) await redis.hdel(boundsKey, chain);
  else await redis.hset(boundsKey, chain, bytes);
};

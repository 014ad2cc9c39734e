import { hash } from "node:crypto";
import type { Gid } from "@ikg/contracts";
import { LRUCache } from "lru-cache";

/** Statements of an organization's policies and queries that the database has planned in time. */
export interface PlannedTexts {
  has(text: string): boolean;
  add(text: string): void;
}

const maxTexts = 10_000;
const lifetimeMs = 600_000;

/**
 * Remembers what was planned: a change that was validated before is planned once, and so are the policies that runs of policy
 * tests save for a new project each time. Neo4j keeps no plan of a statement without its parameters, and it must not: a
 * text that takes too long would be accepted when it is sent again.
 */
export const openPlannedTexts = (): ((organizationId: Gid) => PlannedTexts) => {
  const digests = new LRUCache<string, true>({ max: maxTexts, ttl: lifetimeMs });
  return (organizationId) => {
    const digestOf = (text: string): string => hash("sha256", `${organizationId}\n${text}`, "base64");
    return {
      has: (text) => digests.get(digestOf(text)) === true,
      add: (text) => void digests.set(digestOf(text), true),
    };
  };
};

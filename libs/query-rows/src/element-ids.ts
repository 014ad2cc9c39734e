import { createHmac, hkdfSync } from "node:crypto";
import type { Gid } from "@ikg/contracts";

/** The ids under which a project sees a node or a relationship of its graph. */
export interface ShownIds {
  /** Between 0 and 2^53 - 1; two elements may share it. */
  readonly id: number;
  /** 128 bits in base64url. */
  readonly elementId: string;
}

/**
 * Ids of elements, for one answer. Those of the database are numbers that are given in turn to the elements of every tenant:
 * a caller who sees them could count the writes of others.
 */
export interface ElementIds {
  /** @param elementId the database's. */
  of(elementId: string): ShownIds;
}

const elementIdBytes = 16;

/** 53 bits: what a JSON number holds exactly. */
const numberOf = (digest: Buffer): number =>
  digest.readUIntBE(elementIdBytes, 6) * 2 ** 5 + ((digest[elementIdBytes + 6] ?? 0) >> 3);

/**
 * Makes ids by a keyed hash: equal for one element of one project for as long as the element and the key live, unrelated
 * between projects and between elements.
 *
 * @param key TOKEN_SEALING_KEY; the key of the ids is derived from it by HKDF (RFC 5869).
 */
export const elementIdsOf = (key: Uint8Array): ((project: Gid) => ElementIds) => {
  const own = Buffer.from(hkdfSync("sha256", key, "", "element ids", 32));
  return (project) => {
    const known = new Map<string, ShownIds>();
    return {
      of: (elementId) => {
        const found = known.get(elementId);
        if (found !== undefined) return found;
        const digest = createHmac("sha256", own).update(`${project}\n${elementId}`).digest();
        const made = {
          id: numberOf(digest),
          elementId: digest.subarray(0, elementIdBytes).toString("base64url"),
        };
        known.set(elementId, made);
        return made;
      },
    };
  };
};

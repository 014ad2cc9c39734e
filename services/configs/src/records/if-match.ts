import { Problem } from "@ikg/contracts";
import type { StoredRecord } from "./record.ts";

const entry = /(W\/)?"([^"]*)"|[^\s,]+/g;

/** Whether an `If-Match` header names an entity tag: `*`, a list, and values without quotes are allowed. */
export const matches = (header: string, etag: string): boolean => {
  if (header.trim() === "*") return true;
  for (const [whole, weak, quoted] of header.matchAll(entry))
    // The comparison is the strong one (RFC 9110, section 13.1.1): a weak tag never matches.
    if (weak === undefined && (quoted ?? whole) === etag) return true;
  return false;
};

/** What a change requires of its record's current state. */
export interface Precondition {
  /** The header, or what stands for it. */
  readonly ifMatch: string | undefined;
  /** A change without it is refused (`CONFIG_REQUIRE_IF_MATCH`). */
  readonly required: boolean;
}

/**
 * @throws Problem `precondition_failed` when the header does not match the record's current entity tag;
 *   `precondition_required` when it is missing and required.
 */
export const checkIfMatch = ({ ifMatch, required }: Precondition, record: StoredRecord): void => {
  if (ifMatch === undefined) {
    if (required) throw new Problem("precondition_required", { errors: ["If-Match: required"] });
  } else if (!matches(ifMatch, record.etag))
    throw new Problem("precondition_failed", {
      errors: ["If-Match: does not match the record's current ETag; read the record again"],
    });
};

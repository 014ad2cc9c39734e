import type { Repeats } from "@ikg/audit";
import type { IntrospectionOutcome } from "@ikg/auth";
import { omitUndefined } from "@ikg/contracts";
import type { AuditNote } from "./note.ts";

const outcomes = { active: "success", refused: "denied", not_judged: "failed" } as const;

/**
 * The record of one introspection of a user's token.
 *
 * @param repeats for a record of several introspections, which has the hash of the last token.
 */
export const introspectionNote = (
  project: string,
  { configId, result, error, tokenHash, isCached }: IntrospectionOutcome,
  repeats?: Repeats,
): AuditNote<"audit.credentials.token.introspected"> => ({
  type: "audit.credentials.token.introspected",
  chain: project,
  data: omitUndefined({
    config_id: configId,
    result,
    error,
    token_hash: tokenHash,
    cached: isCached,
    ...repeats,
  }),
  outcome: outcomes[result],
});

import type { Repeats } from "@ikg/audit";
import type { Judgement } from "@ikg/auth";
import { setFields } from "@ikg/contracts";
import type { AuditNote } from "./note.ts";

const outcomes = { active: "success", refused: "denied", not_judged: "failed" } as const;

/**
 * The record of one introspection of a user's token.
 *
 * @param repeats of a record that stands for several; the hash is that of the last token.
 */
export const introspectionNote = (
  project: string,
  { configId, result, error, tokenHash, cached }: Judgement,
  repeats?: Repeats,
): AuditNote<"audit.credentials.token.introspected"> => ({
  type: "audit.credentials.token.introspected",
  chain: project,
  data: setFields({ config_id: configId, result, error, token_hash: tokenHash, cached, ...repeats }),
  outcome: outcomes[result],
});

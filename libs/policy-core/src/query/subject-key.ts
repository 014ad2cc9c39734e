import { nodeKey, type ProjectKey } from "@ikg/physical";
import type { CiqPolicy } from "../policy/ciq.ts";

/** Who runs a query. */
export interface QueryCaller {
  /** External id of the application; undefined where none calls. */
  readonly application: string | undefined;
  /** Subject of the token; undefined when no subject is signed in. */
  readonly tokenSubject: string | undefined;
}

/** The key of the policy's subject; null where the policy names its own, and where there is none. */
export const pinnedSubjectKey = (
  { pin, subjectType }: Pick<CiqPolicy, "pin" | "subjectType">,
  pk: ProjectKey,
  { application, tokenSubject }: QueryCaller,
): string | null => {
  const id = { application, token: tokenSubject, policy: undefined }[pin];
  return id === undefined ? null : nodeKey(pk, subjectType, id);
};

import type { TokenIntrospectRecord } from "@ikg/client";

/** The claim that a token introspection takes the subject from; undefined where it names none, which means `sub`. */
export const subjectClaimOf = (claim: TokenIntrospectRecord["sub_claim"]): string | undefined =>
  typeof claim === "string" ? claim : claim?.selector;

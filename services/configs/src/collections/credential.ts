import { hashCredential, newCredential } from "@ikg/auth";
import { maxLiveCredentials } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import type { Data, StoredRecord } from "../records/record.ts";

/** What credentials of agents and of service accounts have in common. */
export const credential = {
  maxLive: maxLiveCredentials,
  faultsInContext: (body: { readonly expire_time?: string | undefined }, _references: unknown, now: Date) =>
    body.expire_time !== undefined && body.expire_time <= now.toISOString()
      ? ["expire_time: must be in the future"]
      : [],
  present: (record: StoredRecord): Data => ({
    kid: record.columns[lookUpProperties.kid],
    display_name: record.displayName ?? record.columns[lookUpProperties.kid],
  }),
};

/** A new token, which leaves once, and what is kept of it: the kid and a hash. */
export const newToken = (
  kind: Parameters<typeof newCredential>[0],
  pepper: Uint8Array,
): { readonly token: string; readonly columns: Data } => {
  const { token, kid } = newCredential(kind);
  return {
    token,
    columns: { [lookUpProperties.kid]: kid, [lookUpProperties.tokenHash]: hashCredential(token, pepper) },
  };
};

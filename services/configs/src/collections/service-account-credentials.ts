import { readLastUse } from "@ikg/auth";
import { defaultOverlapSeconds, type Gid, serviceAccountCredentialCollection } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { lookUpProperties as column, recordLabel } from "@ikg/physical";
import type { Redis } from "ioredis";
import type { Collection } from "../records/collection.ts";
import { newEtag } from "../records/etag.ts";
import type { StoredRecord } from "../records/record.ts";
import { credential, newToken } from "./credential.ts";

const kidOf = ({ columns }: StoredRecord): string => String(columns[column.kid]);

const endText = [
  `MATCH (c:${recordLabel} {id: $replaced}) WHERE c.${column.serviceAccountId} = $account`,
  `SET c.etag = $etag, c.${column.expireTime} =`,
  `CASE WHEN c.${column.expireTime} < $end THEN c.${column.expireTime} ELSE $end END RETURN c.id AS id`,
].join(" ");

/**
 * Lets the credential that a new one replaces end. Processes that know it as it was accept it for less than the shortest overlap.
 */
const endReplaced = async (
  tx: Transaction,
  { parentId, data: { replaces, overlap_seconds: overlap = defaultOverlapSeconds } }: StoredRecord,
  now: Date,
): Promise<readonly string[]> => {
  if (replaces === undefined) return [];
  const end = new Date(now.getTime() + Number(overlap) * 1_000).toISOString();
  const rows = await tx.run(endText, { replaced: replaces, account: parentId, end, etag: newEtag() });
  return rows.length > 0 ? [] : ["replaces: credential of the same service account expected"];
};

export const serviceAccountCredentials = (settings: {
  readonly pepper: Uint8Array;
  readonly baseUrl: string;
  /** Where the gateway notes which tokens are used. */
  readonly redis: Redis;
}): Collection<typeof serviceAccountCredentialCollection.fields> => ({
  ...serviceAccountCredentialCollection,
  ...credential,
  extrasOnCreate: (_body, { parent }) => {
    const { token, columns } = newToken("sa1", settings.pepper);
    return {
      columns: { ...columns, [column.serviceAccountId]: parent.id },
      once: { service_account_config: { baseUrl: settings.baseUrl, serviceAccountId: parent.id, token } },
    };
  },
  reserve: endReplaced,
  joinRuntimeFields: async (records) => {
    const days = await readLastUse(settings.redis, records.map(kidOf));
    return new Map<Gid, { readonly last_used?: string }>(
      records.flatMap((record) => {
        const day = days.get(kidOf(record));
        return day === undefined ? [] : [[record.id, { last_used: day }] as const];
      }),
    );
  },
});

import {
  chainsWithBounds,
  maxRecordBytes,
  sharedPart,
  stateProjectBound,
  type WaitingBounds,
} from "@ikg/audit";
import { effectiveLimits, type LimitBounds, storedLimits } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { quoteName, recordLabel, recordLabels } from "@ikg/physical";
import type { Redis } from "ioredis";

const text = [
  `MATCH (r:${recordLabel}) WHERE r.id IN $ids AND r:${quoteName(recordLabels.project)}`,
  "RETURN r.id AS id, r.data AS data",
].join(" ");

const chainsText = [recordLabels.project, recordLabels.organization]
  .map((label) => `MATCH (r:${quoteName(label)}) RETURN count(r) AS chains`)
  .join(" UNION ALL ");

/**
 * The bounds with a reserve that is there for every project and organization at the same time: the part of the total that is
 * kept for it, divided by their number.
 */
export const withReserve = async (
  { database }: { readonly database: Database },
  bounds: WaitingBounds,
): Promise<WaitingBounds> => {
  const rows = await database.read(chainsText, {}, { timeoutMs: 30_000 });
  const chains = rows.reduce((sum, row) => sum + Number(row["chains"]), 0);
  const each = Math.floor((bounds.total * (1 - sharedPart)) / Math.max(1, chains));
  return { ...bounds, reserve: Math.max(maxRecordBytes, Math.min(bounds.reserve, each)) };
};

/**
 * States the bounds of projects whose records say `limits.audit_waiting_bytes`, so that every service finds them where
 * it appends. Those of projects that are gone, or no longer have it, are removed.
 */
export const stateProjectBounds = async (
  { database, redis }: { readonly database: Database; readonly redis: Redis },
  limits: LimitBounds,
  chains: Iterable<string>,
): Promise<void> => {
  const ids = [...new Set([...chains, ...(await chainsWithBounds(redis))])];
  if (ids.length === 0) return;
  const rows = await database.read(text, { ids }, { timeoutMs: 30_000 });
  const stated = new Map(
    rows.map((row) => [
      String(row["id"]),
      storedLimits((JSON.parse(String(row["data"])) as { limits?: unknown }).limits), // written by configs
    ]),
  );
  const own = (id: string): number | undefined =>
    stated.get(id)?.audit_waiting_bytes === undefined
      ? undefined
      : effectiveLimits(stated.get(id), limits).audit_waiting_bytes;
  await Promise.all(ids.map((id) => stateProjectBound(redis, id, own(id))));
};

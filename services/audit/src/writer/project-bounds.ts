import { stateProjectBound } from "@ikg/audit";
import { effectiveLimits, type LimitBounds, type StatedLimits } from "@ikg/contracts";
import type { Database } from "@ikg/graph";
import { quoteName, recordLabels } from "@ikg/physical";
import type { Redis } from "ioredis";

const text = [
  `MATCH (r:_Record) WHERE r.id IN $ids AND r:${quoteName(recordLabels.project)}`,
  "RETURN r.id AS id, r.data AS data",
].join(" ");

/**
 * States the bounds of projects whose records say `limits.audit_waiting_bytes`, so that every service finds them where
 * it appends.
 */
export const stateProjectBounds = async (
  { database, redis }: { readonly database: Database; readonly redis: Redis },
  limits: LimitBounds,
  chains: Iterable<string>,
): Promise<void> => {
  const ids = [...chains];
  if (ids.length === 0) return;
  const rows = await database.read(text, { ids }, { timeoutMs: 30_000 });
  const stated = new Map(
    rows.map((row) => [
      String(row["id"]),
      (JSON.parse(String(row["data"])) as { limits?: StatedLimits }).limits, // written by configs
    ]),
  );
  const own = (id: string): number | undefined =>
    stated.get(id)?.audit_waiting_bytes === undefined
      ? undefined
      : effectiveLimits(stated.get(id), limits).audit_waiting_bytes;
  await Promise.all(ids.map((id) => stateProjectBound(redis, id, own(id))));
};

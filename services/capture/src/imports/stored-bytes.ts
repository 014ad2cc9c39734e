import { type Gid, Problem } from "@ikg/contracts";
import type { ImportRecords, UploadCounts } from "./records.ts";

/** Bytes that an import stages between two sums over all imports of its project: the smaller of both. */
const stepBytes = 8_000_000;
/** The same as a share of the limit. */
const stepShare = 0.1;

const refusal = (limit: number, isOwn: boolean): Problem =>
  isOwn
    ? new Problem("unprocessable", {
        errors: [
          `body: rows of at most ${limit} bytes expected, compressed (limit import_stored_bytes, ${limit}); send the lines in several imports`,
        ],
      })
    : new Problem("too_many_requests", {
        errors: [
          `import_stored_bytes: the imports of the project that have not ended keep ${limit} bytes (limit import_stored_bytes, ${limit})`,
        ],
        headers: { "Retry-After": "30" },
      });

/**
 * Limits the bytes that all imports of a project keep in the database. At every step an import stores in its record how many it
 * has staged, and sums those of all records.
 *
 * @param limit bytes.
 * @returns the check, to be called after every piece; it throws Problem `unprocessable` (422) for an import that is too large by itself,
 *   `too_many_requests` (429) when the imports of the project are.
 */
export const storedBytesBound = (
  records: Pick<ImportRecords, "heartbeat" | "storedBytes">,
  { id, projectId, counts }: { readonly id: Gid; readonly projectId: Gid; readonly counts: UploadCounts },
  limit: number,
  now: () => Date,
): (() => Promise<void>) => {
  let next = 0;
  return async () => {
    const own = counts.storedBytes;
    if (own < next) return;
    next = own + Math.max(1, Math.min(stepBytes, stepShare * limit));
    if (own > 0) await records.heartbeat(id, counts, now().toISOString());
    if ((await records.storedBytes(projectId)) >= limit) throw refusal(limit, own >= limit);
  };
};

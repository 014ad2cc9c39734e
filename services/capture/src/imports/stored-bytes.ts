import { type Gid, Problem } from "@ikg/contracts";
import type { ImportRecords, IntakeCounts } from "./records.ts";

/** What an import may add before it is looked again at what all imports of its project keep. */
const stepBytes = 8_000_000;
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
 * Holds the imports of a project together to the bytes that they may keep in the database. Each notes in its record what it
 * has staged, at every step, and adds up what those of the others say.
 *
 * @returns to be called after every piece; it throws Problem `unprocessable` (422) for an import that is too large by itself,
 *   `too_many_requests` (429) when the imports of the project are.
 */
export const storedBytesBound = (
  records: Pick<ImportRecords, "heartbeat" | "storedBytes">,
  { id, projectId, counts }: { readonly id: Gid; readonly projectId: Gid; readonly counts: IntakeCounts },
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

import type { AuditRecord } from "../contract/wire.ts";

/** What one request of a replay may have. */
const maxRecords = 1_000;
const maxDecisions = 10_000;
/** Below the 2 MB of a body, with room for changes. */
const maxBytes = 1_000_000;

const utf8 = new TextEncoder();

const decisionsOf = ({ data }: AuditRecord): number => {
  const entries = (data as { readonly evaluations?: unknown } | undefined)?.evaluations;
  return Array.isArray(entries) ? entries.length : 1;
};

/** Recorded decisions in portions that `simulations.replay()` takes. */
export async function* replayPortions(
  records: AsyncIterable<AuditRecord> | Iterable<AuditRecord>,
): AsyncGenerator<readonly AuditRecord[], void, undefined> {
  let portion: AuditRecord[] = [];
  let [bytes, decisions] = [0, 0];
  for await (const record of records) {
    const [size, count] = [utf8.encode(JSON.stringify(record)).length, decisionsOf(record)];
    const isFull =
      portion.length >= maxRecords || bytes + size > maxBytes || decisions + count > maxDecisions;
    if (portion.length > 0 && isFull) {
      yield portion;
      portion = [];
      [bytes, decisions] = [0, 0];
    }
    portion.push(record);
    bytes += size;
    decisions += count;
  }
  if (portion.length > 0) yield portion;
}

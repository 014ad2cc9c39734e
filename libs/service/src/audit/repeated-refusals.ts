import { LRUCache } from "lru-cache";
import type { AuditedRequest, Repeats } from "@ikg/audit";
import type { Caller } from "@ikg/contracts";
import type { AuditNote } from "./note.ts";
import type { RequestTrail } from "./trail.ts";

/** A rejected credential or token. */
export interface Refusal {
  /** Equal for refusals of one credential, for one reason, from one address. */
  readonly key: string;
  readonly request: AuditedRequest;
  readonly caller: Caller;
  readonly status: number;
  /** @param repeats undefined for a record of this one alone. */
  readonly note: (repeats: Repeats | undefined) => AuditNote;
}

/** Records of refusals, which any client may cause as often as it likes. */
export interface RepeatedRefusals {
  /** Keeps a record of a refusal at once, unless an equal one came in this window: those are counted. */
  keep(refusal: Refusal): Promise<void>;
  /** Keeps records of what is counted. */
  close(): Promise<void>;
}

/** What keeps the records of refusals. */
interface RefusalTrail {
  begin(request: AuditedRequest): Pick<RequestTrail, "note" | "flush">;
}

/** Refusals that are counted at one time; the one that was not seen for longest is recorded early. */
const maxKeys = 10_000;

interface Counted {
  latest: Refusal;
  count: number;
  first: string;
  last: string;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The first of equal refusals leaves a record of its own; those that follow within the window leave one together when it
 * ends, and the next window begins.
 */
export const openRepeatedRefusals = (trail: RefusalTrail, windowMs: number): RepeatedRefusals => {
  const record = ({ request, caller, status, note }: Refusal, repeats?: Repeats): Promise<void> => {
    const entry = trail.begin(request);
    entry.note(() => note(repeats));
    return entry.flush(caller, status);
  };
  const recordCounted = async ({ latest, count, first, last, timer }: Counted): Promise<void> => {
    clearTimeout(timer);
    if (count > 0) await record(latest, { count, first, last });
  };
  const counted = new LRUCache<string, Counted>({
    max: maxKeys,
    dispose: (evicted, _key, reason) => {
      if (reason === "evict") void recordCounted(evicted);
    },
  });
  const begin = (refusal: Refusal): void => {
    const time = new Date().toISOString();
    const entry: Counted = { latest: refusal, count: 0, first: time, last: time, timer: undefined };
    entry.timer = setTimeout(() => {
      counted.delete(refusal.key);
      if (entry.count > 0) begin(entry.latest);
      void recordCounted(entry);
    }, windowMs).unref();
    counted.set(refusal.key, entry);
  };
  return {
    keep: async (refusal) => {
      const entry = counted.get(refusal.key);
      if (entry === undefined) {
        begin(refusal);
        await record(refusal);
        return;
      }
      entry.last = new Date().toISOString();
      if (entry.count === 0) entry.first = entry.last;
      entry.count++;
      entry.latest = refusal;
    },
    close: async () => {
      const left = [...counted.values()].toReversed(); // in the order of their last use
      counted.clear();
      await Promise.all(left.map(recordCounted));
    },
  };
};

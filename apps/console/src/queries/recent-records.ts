import type { AuditBatch, AuditRecord, IkgAdmin } from "@ikg/client";

interface RecentOptions {
  readonly since: Date;
  /** A busy project has more records than are read. */
  readonly maxPages: number;
  readonly signal: AbortSignal;
  /** Which records are kept; all by default. */
  readonly keep?: (record: AuditRecord) => boolean;
}

export interface RecentRecords {
  /** In the order of the chain. */
  readonly records: readonly AuditRecord[];
  /** The newest batch; undefined where none was signed in this period. */
  readonly last: Pick<AuditBatch, "kid" | "alg" | "sequence"> | undefined;
  /** False: older records of the period were not read. */
  readonly isComplete: boolean;
}

/** Reads the newest batches first, so that what a limit leaves out is old. */
export const recentRecords = async (
  admin: IkgAdmin,
  { since, maxPages, signal, keep = () => true }: RecentOptions,
): Promise<RecentRecords> => {
  const newestFirst: (readonly AuditRecord[])[] = [];
  let last: RecentRecords["last"];
  let isComplete = true;
  let pages = 0;
  for await (const { items, cursor } of admin.audit.batches({ since, order: "desc", signal }).pages()) {
    newestFirst.push(...items.map(({ data }) => data.filter(keep)));
    last ??= items[0];
    isComplete = cursor === undefined;
    pages += 1;
    if (pages === maxPages) break;
  }
  return { records: newestFirst.toReversed().flat(), last, isComplete };
};

import type { AuditBatch, CursorPage } from "@ikg/client";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";
import { type DecisionsSearch, type TimeRange, timeRange } from "../decisions-search.ts";

/** Batches of one page; a batch has up to 256 records. */
const pageSize = 25;

/** Clocks of the services that make records and of the one that signs batches of them may differ by as much. */
const clocksDifferMs = 5 * 60_000;
/** A batch is signed some seconds after its records were made; while its key service is away it takes longer. */
const signedWithinMs = 3_600_000;

interface PageParam {
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
  /** The same for all pages, although time goes on. */
  readonly range: TimeRange;
}

export interface RecordsPage extends CursorPage<AuditBatch> {
  readonly range: TimeRange;
}

/** A time that an address of the service can hold; undefined for none. */
const dateOf = (ms: number): Date | undefined => (Number.isFinite(ms) && ms > 0 ? new Date(ms) : undefined);

/** Batches of a time, the newest first, page by page. */
export const useRecords = (projectId: string, { period, from, to }: DecisionsSearch) => {
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  const queryKey = ["audit-records", projectId, period, from, to];
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as PageParam | undefined,
    queryFn: async ({ pageParam, signal }): Promise<RecordsPage> => {
      const range = pageParam?.range ?? timeRange({ period, from, to }, Date.now());
      const pages = admin.audit.batches({
        since: dateOf(range.from - clocksDifferMs),
        until: dateOf(range.to + signedWithinMs),
        order: "desc",
        cursor: pageParam?.cursor,
        pageSize,
        signal,
      });
      const { value } = await pages.pages().next();
      return { ...(value ?? { items: [], cursor: undefined }), range };
    },
    getNextPageParam: ({ cursor, range }): PageParam | undefined =>
      cursor === undefined ? undefined : { cursor, range },
    // What was read does not change; newer records are read on request.
    staleTime: Number.POSITIVE_INFINITY,
  });
  /** Reads the newest again. */
  const refresh = () => client.resetQueries({ queryKey });
  return { query, refresh };
};

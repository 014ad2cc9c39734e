import type { CursorPage, LanguageCollection, RecordVersion } from "@ikg/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";

type VersionPage = CursorPage<RecordVersion>;

/** What has versions: policies or queries. */
export type Versioned<Row extends { readonly id: string }> = Pick<
  LanguageCollection<Row, object, object>,
  "versions" | "get" | "rollback"
>;

const pageSize = 25;

/** Versions of a record, newest first, page by page. */
export const useVersions = <Row extends { readonly id: string }>(collection: Versioned<Row>, id: string) =>
  useInfiniteQuery({
    queryKey: ["versions", id],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }: VersionPage) => cursor,
    queryFn: async ({ pageParam: cursor, signal }): Promise<VersionPage> => {
      const first = await collection.versions(id, { signal, pageSize, cursor }).pages().next();
      return first.done === true ? { items: [], cursor: undefined } : first.value;
    },
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });

/** The record as it was in a version. */
export const useVersion = <Row extends { readonly id: string }>(
  collection: Versioned<Row>,
  id: string,
  version: number | undefined,
) =>
  useQuery({
    queryKey: ["record-version", id, version],
    enabled: version !== undefined,
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => collection.get(id, { version, signal }),
  });

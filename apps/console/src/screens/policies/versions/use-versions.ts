import type { CursorPage, RecordVersion } from "@ikg/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";

type VersionPage = CursorPage<RecordVersion>;

const pageSize = 25;

/** Versions of a policy, newest first, page by page. */
export const useVersions = (projectId: string, id: string) => {
  const admin = useAdmin(projectId);
  return useInfiniteQuery({
    queryKey: ["versions", id],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }: VersionPage) => cursor,
    queryFn: async ({ pageParam: cursor, signal }): Promise<VersionPage> => {
      const first = await admin.policies.versions(id, { signal, pageSize, cursor }).pages().next();
      return first.done === true ? { items: [], cursor: undefined } : first.value;
    },
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
};

/** The policy as it was in a version. */
export const useVersion = (projectId: string, id: string, version: number | undefined) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["policy-record", id, version],
    enabled: version !== undefined,
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => admin.policies.get(id, { version, signal }),
  });
};

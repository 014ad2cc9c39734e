import type { CursorPage, NodeSummary } from "@ikg/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";
import type { NodesSearch } from "../graph-search.ts";

const pageSize = 200;
/** Begins a list. */
const first = "";

/** Nodes of a project page by page, by type and id. */
export const useNodes = (projectId: string, { type, prefix }: NodesSearch) => {
  const admin = useAdmin(projectId);
  return useInfiniteQuery({
    queryKey: ["nodes", projectId, type, prefix],
    initialPageParam: first,
    queryFn: async ({ pageParam: cursor, signal }): Promise<CursorPage<NodeSummary>> => {
      const options = { type, prefix, cursor: cursor === first ? undefined : cursor, pageSize, signal };
      const page = await admin.graph.nodes(options).pages().next();
      return page.value ?? { items: [], cursor: undefined };
    },
    getNextPageParam: ({ cursor }) => cursor,
    // Every page that is read leaves an audit record: those before are not read again by themselves.
    staleTime: Number.POSITIVE_INFINITY,
  });
};

export type NodePages = ReturnType<typeof useNodes>;

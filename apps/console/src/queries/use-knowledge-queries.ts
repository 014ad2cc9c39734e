import { useQuery } from "@tanstack/react-query";
import { useAdmin } from "../session/use-admin.ts";

/** Stored queries of a project, with their texts. */
export const useKnowledgeQueries = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["queries", projectId],
    queryFn: ({ signal }) => admin.queries.list({ signal }),
  });
};

import { useQuery } from "@tanstack/react-query";
import { useAdmin } from "../session/use-admin.ts";

/** Policies of a project, with their texts. */
export const usePolicies = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["policies", projectId],
    queryFn: ({ signal }) => admin.policies.list({ signal }),
  });
};

import { useQuery } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";

/** The policy as it was in a version; the current one may not be stored apart yet, so it is read like the others. */
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

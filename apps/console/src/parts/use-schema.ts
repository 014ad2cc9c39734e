import { type DataSchema, IkgError } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { useAdmin, useMay } from "../session/use-admin.ts";

/** Types of nodes and relationships with their counts; null for a graph without nodes. Not read by roles that may not. */
export const useSchema = (projectId: string) => {
  const admin = useAdmin(projectId);
  const isReadable = useMay()("read_data_schema", projectId);
  return useQuery({
    queryKey: ["data-schema", projectId],
    enabled: isReadable,
    queryFn: async ({ signal }): Promise<DataSchema | null> => {
      try {
        return await admin.graph.schema({ signal });
      } catch (error) {
        if (error instanceof IkgError && error.status === 404) return null;
        throw error;
      }
    },
  });
};

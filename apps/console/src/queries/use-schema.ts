import type { DataSchema } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { ifFound } from "../session/if-found.ts";
import { useAdmin, useMay } from "../session/use-admin.ts";

/** Types of nodes and relationships with their counts; null for a graph without nodes. Not read by roles that may not. */
export const useSchema = (projectId: string) => {
  const admin = useAdmin(projectId);
  const isReadable = useMay()("read_data_schema", projectId);
  return useQuery({
    queryKey: ["data-schema", projectId],
    enabled: isReadable,
    queryFn: async ({ signal }): Promise<DataSchema | null> =>
      (await ifFound(admin.graph.schema({ signal }))) ?? null,
  });
};

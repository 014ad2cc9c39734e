import { IkgError, type WholeNode } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";
import type { NamedNode } from "../node-link.tsx";

/** A node as it is stored; null where there is none. */
export const useNode = (projectId: string, node: NamedNode) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["node", projectId, node.type, node.external_id],
    queryFn: async ({ signal }): Promise<WholeNode | null> => {
      try {
        return await admin.graph.node(node, { signal });
      } catch (error) {
        if (error instanceof IkgError && error.status === 404) return null;
        throw error;
      }
    },
  });
};

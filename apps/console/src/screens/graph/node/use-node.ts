import type { WholeNode } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { ifFound } from "../../../session/if-found.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import type { NamedNode } from "../node-link.tsx";

/** A node as it is stored; null where there is none. */
export const useNode = (projectId: string, node: NamedNode) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: ["node", projectId, node.type, node.external_id],
    queryFn: async ({ signal }): Promise<WholeNode | null> =>
      (await ifFound(admin.graph.node(node, { signal }))) ?? null,
  });
};

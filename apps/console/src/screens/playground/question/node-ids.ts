import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebounced } from "../../../components/use-debounced.ts";
import { useAdmin, useMay } from "../../../session/use-admin.ts";

const offered = 20;
const settledMs = 250;

/** Ids of nodes of a type that begin with what is typed; none where the administrator may not read the graph. */
export const useNodeIds = (projectId: string, type: string, typed: string): readonly string[] => {
  const may = useMay()("list_nodes", projectId);
  const admin = useAdmin(projectId);
  // Each look at the graph leaves an audit record: not one for each character.
  const [settledType = "", prefix = ""] = [useDebounced(type, settledMs), useDebounced(typed, settledMs)];
  const { data = [] } = useQuery({
    queryKey: ["node-ids", projectId, settledType, prefix],
    enabled: may && settledType !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const options = {
        type: settledType,
        pageSize: offered,
        signal,
        ...(prefix !== "" && { prefix }),
      };
      const { value } = await admin.graph.nodes(options).pages().next();
      return (value?.items ?? []).map(({ external_id: id }) => id);
    },
  });
  return data;
};

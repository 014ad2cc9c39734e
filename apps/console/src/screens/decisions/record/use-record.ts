import type { InfiniteData } from "@tanstack/react-query";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";
import type { RecordsPage } from "../records/use-records.ts";
import { findRecord, type FoundRecord } from "./find-record.ts";

/** A record by its id, from a list that has it or from the service; null where it is not there. */
export const useRecord = (projectId: string, id: string) => {
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  return useQuery({
    queryKey: ["audit-record", projectId, id],
    queryFn: async ({ signal }): Promise<FoundRecord | null> => (await findRecord(admin, id, signal)) ?? null,
    initialData: (): FoundRecord | undefined => {
      const lists = client.getQueriesData<InfiniteData<RecordsPage>>({
        queryKey: ["audit-records", projectId],
      });
      for (const [, list] of lists)
        for (const { data, ...place } of list?.pages.flatMap(({ items }) => items) ?? []) {
          const record = data.find((each) => each.id === id);
          if (record !== undefined) return { record, place };
        }
      return undefined;
    },
    // Records never change; one that is not there yet may come.
    staleTime: ({ state }) => (state.data === null ? 0 : Number.POSITIVE_INFINITY),
  });
};

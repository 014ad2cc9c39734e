import { useQueryClient } from "@tanstack/react-query";

/** Reads again what shows queries. */
export const useQueriesChanged = (): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    await Promise.all(
      ["queries", "query", "versions"].map((each) => client.invalidateQueries({ queryKey: [each] })),
    );
  };
};

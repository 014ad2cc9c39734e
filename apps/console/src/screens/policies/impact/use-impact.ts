import type { ChangeSetEntry, Simulation } from "@ikg/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";
import { objectError } from "../../../text/json.ts";
import { type ImpactInputs, joinPages, sentInputs } from "./impact-of.ts";

/** The longest that an administrator should wait; fewer subjects take less. */
const budgetMs = 15_000;

/** Simulates one change, or several that are applied together; nothing is stored. Idle while `change` is undefined. */
export const useImpact = (
  projectId: string,
  change: ChangeSetEntry | readonly ChangeSetEntry[] | undefined,
  inputs: ImpactInputs,
) => {
  const admin = useAdmin(projectId);
  const isValid = objectError(inputs.params) === undefined && objectError(inputs.claims) === undefined;
  return useInfiniteQuery({
    queryKey: ["impact", projectId, JSON.stringify(change), JSON.stringify(inputs)],
    enabled: change !== undefined && isValid,
    staleTime: 30_000,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: Simulation) => next,
    queryFn: ({ pageParam: next, signal }): Promise<Simulation> =>
      admin.simulations.simulate(
        {
          changes: change === undefined ? [] : [change].flat(),
          inputs: sentInputs(inputs),
          budget_ms: budgetMs,
          ...(next !== undefined && { next }),
        },
        { signal },
      ),
    select: ({ pages }) => joinPages(pages),
  });
};

export type ImpactQuery = ReturnType<typeof useImpact>;

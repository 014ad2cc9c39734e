import { usePolicies } from "../../queries/use-policies.ts";
import { shownPolicy } from "./answer/policy-text.ts";

/** What an active policy of decisions is about. */
export interface Rule {
  readonly name: string;
  readonly subject: string;
  readonly actions: readonly string[];
  readonly resource: string;
}

/** Active policies that decide; those of queries have no action. */
export const useRules = (projectId: string): readonly Rule[] | undefined =>
  usePolicies(projectId).data?.flatMap(({ name, status, policy }) => {
    const shown = status === "ACTIVE" ? shownPolicy(policy) : undefined;
    if (shown === undefined || shown.actions.length === 0) return [];
    return [{ name, subject: shown.subject, actions: shown.actions, resource: shown.resource }];
  });

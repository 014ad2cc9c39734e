import { type ProjectSnapshot, questionKey, type StoredKbacPolicy } from "@ikg/catalog";
import type { SimulationRequest } from "@ikg/contracts";
import type { AfterChanges } from "./after-changes.ts";

/** One kind of question whose answers changes may alter, with every policy that decides it. */
export interface AffectedQuestion {
  readonly subjectType: string;
  readonly action: string;
  readonly resourceType: string;
  readonly before: readonly StoredKbacPolicy[];
  readonly after: readonly StoredKbacPolicy[];
}

const isWithin = (wanted: string | undefined, value: string): boolean =>
  wanted === undefined || wanted === value;

/** Every (subject type, action, resource type) that a changed policy names before or after, within the scope. */
export const affectedQuestions = (
  today: ProjectSnapshot,
  { snapshot, changed }: AfterChanges,
  scope: SimulationRequest["scope"],
): readonly AffectedQuestion[] => {
  const questions = new Map<string, AffectedQuestion>();
  for (const { before, after } of changed)
    for (const stored of [before, after]) {
      if (stored === undefined) continue;
      const { subjectType, actions, resourceType } = stored.policy;
      for (const action of actions) {
        if (
          !isWithin(scope?.subject_type, subjectType) ||
          !isWithin(scope?.action, action) ||
          !isWithin(scope?.resource_type, resourceType)
        )
          continue;
        questions.set(questionKey(subjectType, action, resourceType), {
          subjectType,
          action,
          resourceType,
          before: today.kbacCandidates(subjectType, action, resourceType),
          after: snapshot.kbacCandidates(subjectType, action, resourceType),
        });
      }
    }
  return [...questions.values()];
};

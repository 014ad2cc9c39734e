import type { ChangeableCollection } from "@ikg/contracts";
import { type Budget, compileCiq, compilePolicy, needsOf } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import { type DecisionSwitches, statementsOf, previewQuery } from "@ikg/policy-core/statements";
import type { PreviewSource } from "./preview.ts";

/** Settings that compile texts and print statements as the services do. */
export interface PreviewSettings {
  readonly budget: Budget | undefined;
  readonly decisions: DecisionSwitches;
}

/** The statements of a policy; undefined for a draft that is not valid. */
const ofPolicy = (text: string, { budget, decisions }: PreviewSettings): PreviewSource | undefined => {
  const compiled = compilePolicy(text, budget);
  if (!compiled.ok) return undefined;
  const policy = compiled.value;
  return {
    statements: (pk) => statementsOf(policy, pk, decisions),
    needs: needsOf(policy.condition.analysis.report.needs),
    subjectType: policy.subjectType,
    resourceType: policy.kind === "kbac" ? policy.resourceType : undefined,
  };
};

/** The statements of a query of a policy; undefined where one of both is not valid. */
const ofQuery = (
  text: string,
  policyText: string,
  { budget }: PreviewSettings,
): PreviewSource | undefined => {
  const policy = compileCiq(policyText, budget);
  const query = policy.ok ? compileQuery(text, policy.value, budget) : undefined;
  if (!policy.ok || query?.ok !== true) return undefined;
  return {
    statements: (pk) => previewQuery(query.value, pk),
    needs: needsOf(policy.value.condition.analysis.report.needs, query.value.needs),
    subjectType: policy.value.subjectType,
    resourceType: undefined,
  };
};

/** The statements of a body that was validated. @param policyText of the policy of a query. */
export const previewSourceOf = (
  collection: ChangeableCollection,
  text: string,
  policyText: string,
  settings: PreviewSettings,
): PreviewSource | undefined =>
  collection === "authorization-policies" ? ofPolicy(text, settings) : ofQuery(text, policyText, settings);

import { CreateAuthorizationPolicy, type PolicyKind, policyKinds } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import { compilePolicy } from "@ikg/policy-core";
import { trialStatements } from "@ikg/policy-core/statements";
import type { Collection } from "./collection.ts";

/** What a text that may be a mere draft claims to be, from `meta.policy_version`. */
const claimedKind = (text: string): PolicyKind | undefined => {
  let version: unknown;
  try {
    const policy = JSON.parse(text) as { meta?: { policy_version?: unknown } } | null; // may be any JSON at all
    version = policy?.meta?.policy_version;
  } catch {
    return undefined;
  }
  if (typeof version !== "string") return undefined;
  return policyKinds.find((kind) => version.endsWith(`-${kind}`));
};

/** The schema of the body and, unless it is a draft, what the language says about the text. */
const request = CreateAuthorizationPolicy.superRefine(
  ({ policy, status }, context) => {
    // Runs beside faults of other fields, so that all come together; these two may be at fault themselves.
    if (typeof policy !== "string" || policy === "" || (status !== "ACTIVE" && status !== "INACTIVE")) return;
    if (policy.length > maxCompiledLength) return;
    const compiled = compilePolicy(policy);
    if (compiled.ok) return;
    for (const fault of compiled.faults) {
      const [place = "policy", ...reason] = fault.split(": ");
      context.addIssue({ code: "custom", path: [place], message: reason.join(": ") });
    }
  },
  { when: () => true },
);

/** Longer texts are refused by their length; in UTF-16 units, at most two per character. */
const maxCompiledLength = 2 * 512_000;

/** api specification 9.7. */
export const authorizationPolicies: Collection<CreateAuthorizationPolicy> = {
  kind: "authorization_policy",
  path: "/authorization-policies",
  singular: "authorization_policy",
  plural: "authorization_policies",
  request,
  parent: { kind: "project", field: "project_id", of: (body) => body.project_id },
  scope: "project",
  named: true,
  textField: "policy",
  types: { values: policyKinds, property: lookUpProperties.policyKind },
  trials: ({ policy, status }) => {
    const compiled = status === "DRAFT" ? undefined : compilePolicy(policy);
    if (!compiled?.ok) return [];
    const fault = "policy.condition.cypher: the database cannot plan this pattern";
    return trialStatements(compiled.value).map((text) => ({ text, fault }));
  },
  content: (body) => ({
    data: { tags: body.tags },
    text: body.policy,
    columns: {
      [lookUpProperties.status]: body.status,
      [lookUpProperties.policyKind]: claimedKind(body.policy),
    },
  }),
  present: (record) => ({ status: record.columns[lookUpProperties.status], ...record.data }),
};

import { authorizationPolicyCollection, type BodyOf, type PolicyKind, policyKinds } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import { type Budget, compilePolicy } from "@ikg/policy-core";
import { trialStatements } from "@ikg/policy-core/statements";
import { warningsOf } from "@ikg/policy-core/warnings";
import type { z } from "zod";
import type { Collection } from "../records/collection.ts";
import { projectKeyOf } from "../records/project-key.ts";
import type { CollectionSettings } from "./collection-settings.ts";

type Fields = typeof authorizationPolicyCollection.fields;

/** The kind that `meta.policy_version` of a text names; the text may be an invalid draft. */
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

/** A schema of the body that also reports the faults of its text by the rules of the policy language, unless it is a draft. */
const withLanguageFaults = <T extends { readonly policy?: unknown; readonly status?: unknown }>(
  schema: z.ZodType<T>,
  budget: Budget | undefined,
): z.ZodType<T> =>
  schema.superRefine(
    ({ policy, status }, context) => {
      // Runs also if other fields have errors, so that all are reported together; these two may be invalid themselves.
      if (typeof policy !== "string" || policy === "" || (status !== "ACTIVE" && status !== "INACTIVE"))
        return;
      if (policy.length > maxCompiledLength) return;
      const compiled = compilePolicy(policy, budget);
      if (compiled.ok) return;
      for (const fault of compiled.faults) {
        const [place = "policy", ...reason] = fault.split(": ");
        context.addIssue({ code: "custom", path: [place], message: reason.join(": ") });
      }
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  );

/** Longer texts are refused by their length; in UTF-16 units, at most two per character. */
const maxCompiledLength = 2 * 512_000;

const compiledOf = ({ policy, status }: BodyOf<Fields>, budget: Budget | undefined) => {
  const compiled = status === "DRAFT" ? undefined : compilePolicy(policy, budget);
  return compiled?.ok === true ? compiled.value : undefined;
};

/** Authorization policies. */
export const authorizationPolicies = ({
  budget,
  absentTagsClear = false,
}: Pick<CollectionSettings, "budget" | "absentTagsClear">): Collection<Fields> => ({
  ...authorizationPolicyCollection,
  create: withLanguageFaults(authorizationPolicyCollection.create, budget),
  update: withLanguageFaults(authorizationPolicyCollection.update, budget),
  typeProperty: lookUpProperties.policyKind,
  // Clients that leave out empty lists mean no tags.
  adjustUpdate: (body, _current, suppliedFields) =>
    absentTagsClear && !suppliedFields.has("tags") ? { ...body, tags: [] } : body,
  // A CIQ policy may change in ways that break a query; the query then fails when it runs.
  faultsWhileReferenced: (body) => {
    const kind = claimedKind(body.policy);
    // The stored kind is not consulted; a draft may have changed it.
    return kind !== undefined && kind !== "ciq"
      ? ["policy: CIQ policy expected, knowledge queries use it"]
      : [];
  },
  trials: (body) => {
    const compiled = compiledOf(body, budget);
    const fault = "policy.condition.cypher: the database cannot plan this pattern";
    return compiled === undefined ? [] : trialStatements(compiled).map((text) => ({ text, fault }));
  },
  warnings: (body, _references, project, schema) => {
    const compiled = compiledOf(body, budget);
    return compiled === undefined
      ? []
      : warningsOf(compiled, { pk: projectKeyOf(project), ...(schema && { schema }) });
  },
  columnsOf: (body) => ({ [lookUpProperties.policyKind]: claimedKind(body.policy) }),
});

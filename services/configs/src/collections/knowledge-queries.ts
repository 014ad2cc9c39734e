import { type BodyOf, knowledgeQueryCollection, type RecordStatus } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import { type Budget, type Checked, compileCiq } from "@ikg/policy-core";
import { compileQuery, type KnowledgeQuery } from "@ikg/policy-core/queries";
import { trialQuery } from "@ikg/policy-core/statements";
import { queryWarningsOf } from "@ikg/policy-core/warnings";
import type { StoredRecord } from "../records/record.ts";
import type { Collection, References } from "../records/collection.ts";
import { projectKeyOf } from "../records/project-key.ts";

type Fields = typeof knowledgeQueryCollection.fields;
type Body = BodyOf<Fields>;

const draft: RecordStatus = "DRAFT";

/** Faults of a query in the light of its policy. */
const faultsWith = (body: Body, policy: StoredRecord, budget: Budget | undefined): readonly string[] => {
  const kind = policy.columns[lookUpProperties.policyKind];
  const isDraft = policy.columns[lookUpProperties.status] === draft;
  if (kind !== "ciq" && !(isDraft && kind === undefined && body.status === draft))
    return ["policy_id: CIQ policy expected"];
  if (body.status === draft) return [];
  if (isDraft) return ["policy_id: policy is not valid"];
  const query = checked(body, policy, budget);
  return query.ok ? [] : query.faults;
};

const checked = (body: Body, policy: StoredRecord, budget: Budget | undefined): Checked<KnowledgeQuery> => {
  const compiled = compileCiq(policy.text ?? "", budget);
  return compiled.ok
    ? compileQuery(body.query, compiled.value, budget)
    : { ok: false, faults: ["policy_id: policy is not valid"] };
};

const queryOf = (
  body: Body,
  references: References,
  budget: Budget | undefined,
): KnowledgeQuery | undefined => {
  const policy = references.get("policy_id");
  const query = policy === undefined || body.status === draft ? undefined : checked(body, policy, budget);
  return query?.ok === true ? query.value : undefined;
};

/** Knowledge queries. @param budget what the expressions of a query and its policy may need */
export const knowledgeQueries = (budget?: Budget): Collection<Fields> => ({
  ...knowledgeQueryCollection,
  faultsInContext: (body, references) => {
    const policy = references.get("policy_id");
    return policy === undefined ? [] : faultsWith(body, policy, budget);
  },
  trials: (body, references) => {
    const query = queryOf(body, references, budget);
    const fault = "query: the database cannot plan it";
    return query === undefined ? [] : trialQuery(query).map((text) => ({ text, fault }));
  },
  warnings: (body, references, project, schema) => {
    const query = queryOf(body, references, budget);
    return query === undefined
      ? []
      : queryWarningsOf(query, { pk: projectKeyOf(project), ...(schema && { schema }) });
  },
});

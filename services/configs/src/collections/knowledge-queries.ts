import { CreateKnowledgeQuery, type RecordStatus } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import { type Checked, compileCiq } from "@ikg/policy-core";
import { compileQuery, type KnowledgeQuery } from "@ikg/policy-core/queries";
import { trialQuery } from "@ikg/policy-core/statements";
import type { StoredRecord } from "../records/record.ts";
import type { Collection } from "./collection.ts";

const draft: RecordStatus = "DRAFT";

/** Faults of a query in the light of its policy (api specification 9.11, README decision 47). */
const faultsWith = (body: CreateKnowledgeQuery, policy: StoredRecord): readonly string[] => {
  if (policy.projectId !== body.project_id) return ["policy_id: policy of the same project expected"];
  const kind = policy.columns[lookUpProperties.policyKind];
  const isDraft = policy.columns[lookUpProperties.status] === draft;
  if (kind !== "ciq" && !(isDraft && kind === undefined && body.status === draft))
    return ["policy_id: CIQ policy expected"];
  if (body.status === draft) return [];
  if (isDraft) return ["policy_id: policy is not valid"];
  const query = checked(body, policy);
  return query.ok ? [] : query.faults;
};

const checked = (body: CreateKnowledgeQuery, policy: StoredRecord): Checked<KnowledgeQuery> => {
  const compiled = compileCiq(policy.text ?? "");
  return compiled.ok
    ? compileQuery(body.query, compiled.value)
    : { ok: false, faults: ["policy_id: policy is not valid"] };
};

/** api specification 9.11. */
export const knowledgeQueries: Collection<CreateKnowledgeQuery> = {
  kind: "knowledge_query",
  path: "/knowledge-queries",
  singular: "knowledge_query",
  plural: "knowledge_queries",
  request: CreateKnowledgeQuery,
  parent: { kind: "project", field: "project_id", of: (body) => body.project_id },
  scope: "project",
  named: true,
  textField: "query",
  references: (body) => [{ field: "policy_id", kind: "authorization_policy", id: body.policy_id }],
  judge: (body, references) => {
    const policy = references.get("policy_id");
    return policy === undefined ? [] : faultsWith(body, policy);
  },
  trials: (body, references) => {
    const policy = references.get("policy_id");
    const query = policy === undefined || body.status === draft ? undefined : checked(body, policy);
    if (!query?.ok) return [];
    return trialQuery(query.value).map((text) => ({ text, fault: "query: the database cannot plan it" }));
  },
  content: (body) => ({
    data: { policy_id: body.policy_id },
    text: body.query,
    columns: { [lookUpProperties.status]: body.status },
  }),
  present: (record) => ({ status: record.columns[lookUpProperties.status], ...record.data }),
};

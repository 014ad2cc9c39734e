import { CreateKnowledgeQuery, type RecordStatus } from "@ikg/contracts";
import { lookUpProperties } from "@ikg/physical";
import { compileCiq, compileQuery } from "@ikg/policy-core";
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
  const compiled = compileCiq(policy.text ?? "");
  if (!compiled.ok) return ["policy_id: policy is not valid"];
  const query = compileQuery(body.query, compiled.value);
  return query.ok ? [] : query.faults;
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
  content: (body) => ({
    data: { policy_id: body.policy_id },
    text: body.query,
    columns: { [lookUpProperties.status]: body.status },
  }),
  present: (record) => ({ status: record.columns[lookUpProperties.status], ...record.data }),
};

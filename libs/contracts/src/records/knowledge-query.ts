import { z } from "zod";
import { gidOf, namedFields, namedRecord, policyText, projectParents, recordStatus } from "./fields.ts";

/** api specification 9.11. The text is judged against the policy unless the status is DRAFT. */
export const CreateKnowledgeQuery = z.object({
  project_id: gidOf("project"),
  ...namedFields,
  policy_id: gidOf("authorization_policy"),
  query: policyText,
  status: recordStatus,
});

export type CreateKnowledgeQuery = z.output<typeof CreateKnowledgeQuery>;

export const KnowledgeQueryRecord = z.object({
  ...namedRecord,
  ...projectParents,
  policy_id: z.string(),
  query: z.string(),
  status: recordStatus,
});

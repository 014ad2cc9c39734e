import { z } from "zod";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import {
  namedRecord,
  nameFields,
  parent,
  languageText,
  projectParents,
  recordStatus,
  lifeCycle,
  reference,
} from "./fields.ts";

const fields = {
  project_id: parent("project"),
  ...nameFields,
  policy_id: reference("authorization_policy", "CIQ policy"),
  query: languageText,
  status: lifeCycle("only ACTIVE ones are executed"),
} as const;

export const KnowledgeQueryRecord = z.object({
  ...namedRecord,
  ...projectParents,
  policy_id: z.string(),
  query: z.string(),
  status: recordStatus,
});

/** The text is judged against the policy unless the status is DRAFT. */
export const knowledgeQueryCollection = {
  kind: "knowledge_query",
  path: "/knowledge-queries",
  singular: "knowledge_query",
  plural: "knowledge_queries",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  hasName: true,
  fields,
  record: KnowledgeQueryRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;

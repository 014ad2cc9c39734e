import { z } from "zod";
import { text } from "../names.ts";
import { createBody, type RecordDescription, updateBody } from "./description.ts";
import {
  namedRecord,
  nameFields,
  parent,
  languageText,
  projectParents,
  recordStatus,
  lifeCycle,
} from "./fields.ts";

/** Kinds of policies, as the list filter `type` names them. */
export const policyKinds = ["kbac", "ciq"] as const;

export type PolicyKind = (typeof policyKinds)[number];

/** Labels of a policy, by which a request may narrow the candidates. */
const policyTags = z.array(text(1, 64), { error: "array expected" }).max(20, { error: "at most 20 entries" });

const fields = {
  project_id: parent("project"),
  ...nameFields,
  policy: languageText,
  status: lifeCycle("only ACTIVE ones decide"),
  tags: {
    schema: policyTags,
    create: "defaulted",
    default: [] as string[],
    update: "kept",
    rule: "at most 20, each 1-64 characters",
  },
} as const;

export const AuthorizationPolicyRecord = z.object({
  ...namedRecord,
  ...projectParents,
  policy: z.string(),
  status: recordStatus,
  tags: z.array(z.string()),
});

/** The text is judged beyond its length unless the status is DRAFT. */
export const authorizationPolicyCollection = {
  kind: "authorization_policy",
  path: "/authorization-policies",
  singular: "authorization_policy",
  plural: "authorization_policies",
  parent: { kind: "project", field: "project_id" },
  scope: "project",
  hasName: true,
  listTypes: policyKinds,
  fields,
  record: AuthorizationPolicyRecord,
  create: createBody(fields),
  update: updateBody(fields),
} satisfies RecordDescription<typeof fields>;

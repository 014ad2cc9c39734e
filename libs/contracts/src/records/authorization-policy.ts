import { z } from "zod";
import { text } from "../names.ts";
import {
  gidOf,
  namedFields,
  namedRecord,
  optional,
  policyText,
  projectParents,
  recordStatus,
} from "./fields.ts";

/** Labels of a policy, by which a request may narrow the candidates. */
export const policyTags = z
  .array(text(1, 64), { error: "array expected" })
  .max(20, { error: "at most 20 entries" });

/** api specification 9.7. The text is judged beyond this unless the status is DRAFT. */
export const CreateAuthorizationPolicy = z.object({
  project_id: gidOf("project"),
  ...namedFields,
  policy: policyText,
  status: recordStatus,
  tags: optional(policyTags).transform((tags) => tags ?? []),
});

export type CreateAuthorizationPolicy = z.output<typeof CreateAuthorizationPolicy>;

export const AuthorizationPolicyRecord = z.object({
  ...namedRecord,
  ...projectParents,
  policy: z.string(),
  status: recordStatus,
  tags: z.array(z.string()),
});

/** Kinds of policies, as the list filter `type` names them. */
export const policyKinds = ["kbac", "ciq"] as const;

export type PolicyKind = (typeof policyKinds)[number];

import type { AuthorizationPolicyRecord, NewAuthorizationPolicy } from "@ikg/client";
import { emptyForm, formOfText, isSameJson, type PolicyForm, textOfForm } from "./policy-form.ts";

export type PolicyStatus = AuthorizationPolicyRecord["status"];

export const statuses: readonly PolicyStatus[] = ["ACTIVE", "INACTIVE", "DRAFT"];

/** What is edited of a policy: fields where they can hold it, else its JSON. */
export type Rule =
  { readonly mode: "form"; readonly form: PolicyForm } | { readonly mode: "json"; readonly json: string };

/** A policy as it is edited. */
export interface PolicyDraft {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly status: PolicyStatus;
  readonly tags: readonly string[];
  readonly rule: Rule;
}

/** Members of a record that are edited. */
export type PolicyRecord = Pick<
  AuthorizationPolicyRecord,
  "name" | "display_name" | "description" | "status" | "tags" | "policy"
>;

const ruleOf = (text: string): Rule => {
  const form = formOfText(text);
  return form === undefined ? { mode: "json", json: text } : { mode: "form", form };
};

export const draftOf = (record: PolicyRecord): PolicyDraft => ({
  name: record.name,
  // It is shown as the name where it is not set.
  displayName: record.display_name === record.name ? "" : record.display_name,
  description: record.description ?? "",
  status: record.status,
  tags: record.tags,
  rule: ruleOf(record.policy),
});

export const newDraft: PolicyDraft = {
  name: "",
  displayName: "",
  description: "",
  status: "ACTIVE",
  tags: [],
  rule: { mode: "form", form: emptyForm },
};

/** The JSON of the policy; undefined while a field of the form is no JSON. */
export const textOf = ({ rule }: PolicyDraft): string | undefined =>
  rule.mode === "json" ? rule.json : textOfForm(rule.form);

/** The same rule in the other mode; undefined where it cannot be. */
export const inMode = (rule: Rule, mode: Rule["mode"]): Rule | undefined => {
  if (rule.mode === mode) return rule;
  if (rule.mode === "form") {
    const json = textOfForm(rule.form);
    return json === undefined ? undefined : { mode: "json", json };
  }
  const form = formOfText(rule.json);
  return form === undefined ? undefined : { mode: "form", form };
};

export interface PolicyFields extends NewAuthorizationPolicy {
  readonly policy: string;
  readonly tags: readonly string[];
}

/** What is sent of a draft; empty texts remove what was there. */
export const fieldsOf = (draft: PolicyDraft, policy: string, isNew: boolean): PolicyFields => {
  const { name, displayName, description, status, tags } = draft;
  const isSent = (text: string): boolean => !isNew || text !== "";
  return {
    name,
    policy,
    status,
    tags,
    ...(isSent(displayName) && { display_name: displayName }),
    ...(isSent(description) && { description }),
  };
};

const withoutRule = (draft: PolicyDraft): string => JSON.stringify({ ...draft, rule: undefined });

/** Whether both say the same, in whichever mode. */
export const isSameDraft = (one: PolicyDraft, other: PolicyDraft): boolean => {
  if (withoutRule(one) !== withoutRule(other)) return false;
  if (JSON.stringify(one.rule) === JSON.stringify(other.rule)) return true;
  const [text, otherText] = [textOf(one), textOf(other)];
  if (text === undefined || otherText === undefined) return false;
  try {
    return isSameJson(JSON.parse(text), JSON.parse(otherText));
  } catch {
    return text === otherText;
  }
};

import type { AuthorizationPolicyRecord, NewAuthorizationPolicy } from "@ikg/client";
import { isSameJsonText } from "../../../text/json.ts";
import {
  emptyRecord,
  type RecordDraft,
  recordDraftOf,
  sentFields,
} from "../../../editors/record-editor/record-draft.ts";
import { emptyForm, formOfText, type PolicyForm, textOfForm } from "./policy-form.ts";

/** What is edited of a policy: fields where they can hold it, else its JSON. */
export type Rule =
  | { readonly mode: "form"; readonly form: PolicyForm }
  | { readonly mode: "json"; readonly json: string };

/** A policy as it is edited. */
export interface PolicyDraft extends RecordDraft {
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
  ...recordDraftOf(record),
  tags: record.tags,
  rule: ruleOf(record.policy),
});

export const newDraft: PolicyDraft = {
  ...emptyRecord,
  tags: [],
  rule: { mode: "form", form: emptyForm },
};

/** The JSON of the policy; undefined while a field of the form is not valid JSON. */
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
export const fieldsOf = (draft: PolicyDraft, policy: string, isNew: boolean): PolicyFields => ({
  ...sentFields(draft, isNew),
  policy,
  tags: draft.tags,
});

const withoutRule = (draft: PolicyDraft): string => JSON.stringify({ ...draft, rule: undefined });

/** Whether both say the same, in whichever mode. */
export const isSameDraft = (one: PolicyDraft, other: PolicyDraft): boolean => {
  if (withoutRule(one) !== withoutRule(other)) return false;
  if (JSON.stringify(one.rule) === JSON.stringify(other.rule)) return true;
  const [text, otherText] = [textOf(one), textOf(other)];
  if (text === undefined || otherText === undefined) return false;
  return isSameJsonText(text, otherText);
};

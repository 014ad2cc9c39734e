import type { KnowledgeQueryRecord, NewKnowledgeQuery } from "@ikg/client";
import { isSameJsonText } from "../../../text/json.ts";
import {
  type EditedFields,
  emptyRecord,
  type RecordDraft,
  recordDraftOf,
  sentFields,
} from "../../../editors/record-editor/record-draft.ts";
import { emptyForm, formOfText, type QueryForm, textOfForm } from "./query-form.ts";

/** What is edited of a query: fields where they can hold it, else its JSON. */
export type QueryText =
  | { readonly mode: "form"; readonly form: QueryForm }
  | { readonly mode: "json"; readonly json: string };

/** A query as it is edited. */
export interface QueryDraft extends RecordDraft {
  /** Gid of the policy that it runs under; empty while none is chosen. */
  readonly policyId: string;
  readonly text: QueryText;
}

/** Members of a record that are edited. */
export type QueryRecord = EditedFields & Pick<KnowledgeQueryRecord, "policy_id" | "query">;

const queryTextOf = (text: string): QueryText => {
  const form = formOfText(text);
  return form === undefined ? { mode: "json", json: text } : { mode: "form", form };
};

export const draftOf = (record: QueryRecord): QueryDraft => ({
  ...recordDraftOf(record),
  policyId: record.policy_id,
  text: queryTextOf(record.query),
});

export const newDraft = (policyId: string): QueryDraft => ({
  ...emptyRecord,
  policyId,
  text: { mode: "form", form: emptyForm },
});

/** The JSON of the query; undefined while a field of the form is not valid JSON. */
export const textOf = ({ text }: Pick<QueryDraft, "text">): string | undefined =>
  text.mode === "json" ? text.json : textOfForm(text.form);

/** The same text in the other mode; undefined where it cannot be. */
export const inOtherMode = (text: QueryText): QueryText | undefined => {
  if (text.mode === "form") {
    const json = textOfForm(text.form);
    return json === undefined ? undefined : { mode: "json", json };
  }
  const form = formOfText(text.json);
  return form === undefined ? undefined : { mode: "form", form };
};

export interface QueryFields extends NewKnowledgeQuery {
  readonly query: string;
}

/** What is sent of a draft; empty texts remove what was there. */
export const fieldsOf = (draft: QueryDraft, query: string, isNew: boolean): QueryFields => ({
  ...sentFields(draft, isNew),
  policy_id: draft.policyId,
  query,
});

const withoutText = (draft: QueryDraft): string => JSON.stringify({ ...draft, text: undefined });

/** Whether both say the same, in whichever mode. */
export const isSameDraft = (one: QueryDraft, other: QueryDraft): boolean => {
  if (withoutText(one) !== withoutText(other)) return false;
  if (JSON.stringify(one.text) === JSON.stringify(other.text)) return true;
  const [text, otherText] = [textOf(one), textOf(other)];
  return text !== undefined && otherText !== undefined && isSameJsonText(text, otherText);
};

import { editedFieldsOf, readableFields } from "../../../editors/record-editor/record-draft.ts";
import { type PolicyDraft, type PolicyRecord, textOf } from "./draft.ts";
import { formOfText } from "./policy-form.ts";

export const section = (title: string, text: string): readonly string[] =>
  text === "" ? [] : ["", title, text];

const bodyOf = (text: string): readonly string[] => {
  const form = formOfText(text);
  if (form === undefined) return ["", text];
  const isDecision = form.kind === "decisions";
  return [
    `language: ${form.version}`,
    `subject: ${form.subject}`,
    ...(isDecision ? [`actions: ${form.actions.join(", ")}`, `resource: ${form.resource}`] : []),
    ...section("condition:", form.cypher),
    ...section("filter:", form.filter),
    ...section("token filter:", form.tokenFilter),
    ...section("allowed:", form.allowed),
  ];
};

/** A policy in lines, as people compare it: all that can be edited, and its Cypher as it was written. */
export const readableText = (record: PolicyRecord): string => {
  const { tags, policy } = record;
  const { status, texts } = readableFields(record);
  return [
    status,
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(", ")}`]),
    ...texts,
    ...bodyOf(policy),
    "",
  ].join("\n");
};

/** A draft in lines, as a record of it is shown. */
export const readableDraft = (draft: PolicyDraft): string =>
  readableText({ ...editedFieldsOf(draft), tags: [...draft.tags], policy: textOf(draft) ?? "" });

import { objectOf, printJson } from "../../../text/json.ts";
import { editedFieldsOf, readableFields } from "../../../editors/record-editor/record-draft.ts";
import { type QueryDraft, type QueryRecord, textOf } from "./draft.ts";

/** Names of policies by their gids. */
export type PolicyNames = ReadonlyMap<string, string>;

/** A query in lines, as people compare it: all that can be edited, its JSON with one member a line. */
export const readableText = (record: QueryRecord, policies: PolicyNames): string => {
  const { policy_id: policyId, query } = record;
  const { status, texts } = readableFields(record);
  const content = objectOf(query);
  return [
    status,
    ...texts,
    `policy: ${policies.get(policyId) ?? policyId}`,
    "",
    content === undefined ? query : printJson(content),
    "",
  ].join("\n");
};

/** A draft in lines, as a record of it is shown. */
export const readableDraft = (draft: QueryDraft, policies: PolicyNames): string =>
  readableText({ ...editedFieldsOf(draft), policy_id: draft.policyId, query: textOf(draft) ?? "" }, policies);

import type { KnowledgeQueryRecord } from "@ikg/client";

/** A policy's or a query's: what is neither active nor a draft is kept, and not used. */
export type RecordStatus = KnowledgeQueryRecord["status"];

export const statuses: readonly RecordStatus[] = ["ACTIVE", "INACTIVE", "DRAFT"];

/** When a record that was saved in a status takes effect. */
export const effectTexts: Readonly<Record<RecordStatus, string>> = {
  ACTIVE: "It is live within two seconds.",
  INACTIVE: "It has no effect while it is inactive.",
  DRAFT: "It has no effect while it is a draft.",
};

/** What policies and queries have besides their texts, as it is edited. */
export interface RecordDraft {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly status: RecordStatus;
}

export const emptyRecord: RecordDraft = { name: "", displayName: "", description: "", status: "ACTIVE" };

export type EditedFields = Pick<KnowledgeQueryRecord, "name" | "display_name" | "description" | "status">;

export const recordDraftOf = (record: EditedFields): RecordDraft => ({
  name: record.name,
  // It is shown as the name where it is not set.
  displayName: record.display_name === record.name ? "" : record.display_name,
  description: record.description ?? "",
  status: record.status,
});

/** The record that a draft stands for, as far as it is edited. */
export const editedFieldsOf = ({ name, displayName, description, status }: RecordDraft): EditedFields => ({
  name,
  display_name: displayName,
  description,
  status,
});

interface SentFields {
  readonly name: string;
  readonly status: RecordStatus;
  readonly display_name?: string;
  readonly description?: string;
}

/** What is sent of a draft; empty texts remove what was there. */
export const sentFields = (
  { name, displayName, description, status }: RecordDraft,
  isNew: boolean,
): SentFields => {
  const isSent = (text: string): boolean => !isNew || text !== "";
  return {
    name,
    status,
    ...(isSent(displayName) && { display_name: displayName }),
    ...(isSent(description) && { description }),
  };
};

/** The fields in lines, as people compare them. */
export const readableFields = ({
  name,
  display_name: displayName,
  description = "",
  status,
}: EditedFields) => ({
  status: `status: ${status}`,
  texts: [
    ...(displayName === name || displayName === "" ? [] : [`display name: ${displayName}`]),
    ...(description === "" ? [] : [`description: ${description}`]),
  ],
});

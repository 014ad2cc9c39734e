import type { KnowledgeQueryRecord, WithEtag } from "@ikg/client";
import { editedRecords, type RecordEditing } from "../../../editors/record-editor/edited-records.ts";
import { draftOf, isSameDraft, newDraft, type QueryDraft } from "./draft.ts";

/** A query as it was read, with the ETag of that state. */
export type ReadQuery = WithEtag<KnowledgeQueryRecord>;

export type QueryEditing = RecordEditing<KnowledgeQueryRecord, QueryDraft>;

const queries = editedRecords<KnowledgeQueryRecord, QueryDraft>({ draftOf, isSameDraft });

/** Whether something of a query is typed and not saved. */
export const useHasDraft = queries.useHasDraft;

/**
 * The draft of a query.
 *
 * @param read the query as it was read last; undefined for a new one.
 * @param policyId gid of the policy that a new one begins with.
 */
export const useQueryDraft = (
  projectId: string,
  read: ReadQuery | undefined,
  policyId: string,
): QueryEditing => queries.useDraft(projectId, read, newDraft(policyId));

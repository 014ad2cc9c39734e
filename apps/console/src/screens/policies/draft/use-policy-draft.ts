import type { AuthorizationPolicyRecord, WithEtag } from "@ikg/client";
import { editedRecords, type RecordEditing } from "../../../editors/record-editor/edited-records.ts";
import { draftOf, isSameDraft, newDraft, type PolicyDraft } from "./draft.ts";

/** A policy as it was read, with the ETag of that state. */
export type ReadPolicy = WithEtag<AuthorizationPolicyRecord>;

export type PolicyEditing = RecordEditing<AuthorizationPolicyRecord, PolicyDraft>;

const policies = editedRecords<AuthorizationPolicyRecord, PolicyDraft>({ draftOf, isSameDraft });

/** Whether something of a policy is typed and not saved. */
export const useHasDraft = policies.useHasDraft;

/** The draft of a policy. @param read the policy as it was read last; undefined for a new one. */
export const usePolicyDraft = (projectId: string, read: ReadPolicy | undefined): PolicyEditing =>
  policies.useDraft(projectId, read, newDraft);

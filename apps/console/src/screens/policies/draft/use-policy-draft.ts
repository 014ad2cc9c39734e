import type { AuthorizationPolicyRecord } from "@ikg/client";
import { useSyncExternalStore } from "react";
import { keptDrafts } from "../../../session/drafts.ts";
import { draftOf, isSameDraft, newDraft, type PolicyDraft } from "./draft.ts";

/** A policy as it was read, with the ETag of that state. */
export interface ReadPolicy {
  readonly record: AuthorizationPolicyRecord;
  readonly etag: string;
}

/** What is edited, and what it was made from. */
interface Editing {
  /** Undefined for a new policy. */
  readonly base: ReadPolicy | undefined;
  readonly draft: PolicyDraft;
}

const drafts = keptDrafts<Editing>();

export const draftKey = (projectId: string, name: string | undefined): string =>
  JSON.stringify([projectId, name ?? null]);

/** Whether something of a policy is typed and not saved. */
export const useHasDraft = (): ((projectId: string, name: string) => boolean) => {
  useSyncExternalStore(drafts.subscribe, () => drafts.size);
  return (projectId, name) => drafts.get(draftKey(projectId, name)) !== undefined;
};

const startOf = (read: ReadPolicy | undefined): PolicyDraft =>
  read === undefined ? newDraft : draftOf(read.record);

/**
 * The draft of a policy, which is kept until it is saved or discarded. What somebody else changes is taken over as long as nothing
 * is edited here; else it is a conflict.
 *
 * @param read the policy as it is now; undefined for a new one.
 */
export const usePolicyDraft = (projectId: string, read: ReadPolicy | undefined) => {
  const key = draftKey(projectId, read?.record.name);
  const kept = useSyncExternalStore(drafts.subscribe, () => drafts.get(key));
  const { base, draft } = kept ?? { base: read, draft: startOf(read) };
  const change = (next: PolicyDraft): void => {
    if (isSameDraft(next, startOf(base)) && base?.etag === read?.etag) drafts.delete(key);
    else drafts.set(key, { base, draft: next });
  };
  return {
    draft,
    base,
    change,
    isChanged: kept !== undefined,
    /** What somebody else has saved meanwhile. */
    theirs: kept !== undefined && base?.etag !== read?.etag ? read : undefined,
    discard: () => drafts.delete(key),
    /** Keeps what is typed, as a change of what is there now. */
    rebase: () => drafts.set(key, { base: read, draft }),
  };
};

export type PolicyEditing = ReturnType<typeof usePolicyDraft>;

import type { AuthorizationPolicyRecord } from "@ikg/client";
import { useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
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
  /** False: it says the same, in another mode or with other blanks. */
  readonly isChanged: boolean;
}

const drafts = keptDrafts<Editing>(({ isChanged }) => isChanged);

export const draftKey = (projectId: string, name: string | undefined): string =>
  JSON.stringify([projectId, name ?? null]);

/** Whether something of a policy is typed and not saved. */
export const useHasDraft = (): ((projectId: string, name: string) => boolean) => {
  useSyncExternalStore(drafts.subscribe, () => drafts.changed);
  return (projectId, name) => drafts.get(draftKey(projectId, name))?.isChanged === true;
};

const startOf = (read: ReadPolicy | undefined): PolicyDraft =>
  read === undefined ? newDraft : draftOf(read.record);

/** The later one of two states. */
const latest = (read: ReadPolicy | undefined, saved: ReadPolicy | undefined): ReadPolicy | undefined =>
  saved !== undefined && (read === undefined || saved.record.update_time > read.record.update_time)
    ? saved
    : read;

/**
 * The draft of a policy, which is kept until it is saved or discarded. What another author changes is taken over as long as nothing
 * is edited here; else it is a conflict.
 *
 * @param given the policy as it was read last; undefined for a new one.
 */
export const usePolicyDraft = (projectId: string, given: ReadPolicy | undefined) => {
  const [saved, setSaved] = useState<ReadPolicy>();
  const read = latest(given, saved);
  const key = draftKey(projectId, read?.record.name);
  const stored = useSyncExternalStore(drafts.subscribe, () => drafts.get(key));
  const kept = stored?.isChanged === true || stored?.base?.etag === read?.etag ? stored : undefined;
  const { base, draft, isChanged } = kept ?? { base: read, draft: startOf(read), isChanged: false };
  const isCurrent = base?.etag === read?.etag;
  const change = (next: PolicyDraft): void =>
    drafts.set(key, { base, draft: next, isChanged: !isCurrent || !isSameDraft(next, startOf(base)) });
  return {
    draft,
    base,
    change,
    isChanged,
    /** What another author has saved meanwhile. */
    theirs: isCurrent ? undefined : read,
    discard: () => drafts.delete(key),
    /** The draft is what is there now: both change at once, so that the editor stays as it is. */
    settle: (state: ReadPolicy) =>
      flushSync(() => {
        setSaved(state);
        drafts.delete(key);
      }),
    /** Keeps what is typed, as a change of what is there now. */
    rebase: () => drafts.set(key, { base: read, draft, isChanged: true }),
  };
};

export type PolicyEditing = ReturnType<typeof usePolicyDraft>;

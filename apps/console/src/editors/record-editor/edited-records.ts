import type { WithEtag } from "@ikg/client";
import { useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { keptDrafts } from "../../session/drafts.ts";

/** What the drafts of a collection need to know of it. */
interface EditedKind<Row, Draft> {
  readonly draftOf: (record: Row) => Draft;
  readonly isSameDraft: (one: Draft, other: Draft) => boolean;
}

/** A draft, and the state that it is based on. */
interface StoredDraft<Row, Draft> {
  /** Undefined for a new record. */
  readonly base: WithEtag<Row> | undefined;
  readonly draft: Draft;
  /** False: it says the same, in another mode or with other blanks. */
  readonly isChanged: boolean;
}

/** A draft with the ways to change, keep and end it. */
export interface RecordEditing<Row, Draft> extends StoredDraft<Row, Draft> {
  readonly change: (draft: Draft) => void;
  /** The state that another author has saved meanwhile. */
  readonly conflict: WithEtag<Row> | undefined;
  readonly discard: () => void;
  /** The draft is what is there now: both change at once, so that the editor stays as it is. */
  readonly settle: (state: WithEtag<Row>) => void;
  /** Keeps what is typed, as a change of what is there now. */
  readonly rebase: () => void;
}

interface EditedRow {
  readonly name: string;
  readonly update_time: string;
}

const draftKey = (projectId: string, name: string | undefined): string =>
  JSON.stringify([projectId, name ?? null]);

/** The later one of two states. */
const latest = <Row extends EditedRow>(
  read: WithEtag<Row> | undefined,
  saved: WithEtag<Row> | undefined,
): WithEtag<Row> | undefined =>
  saved !== undefined && (read === undefined || saved.record.update_time > read.record.update_time)
    ? saved
    : read;

/** Drafts of the records of a collection, as hooks. */
export const editedRecords = <Row extends EditedRow, Draft>({
  draftOf,
  isSameDraft,
}: EditedKind<Row, Draft>) => {
  const drafts = keptDrafts<StoredDraft<Row, Draft>>(({ isChanged }) => isChanged);

  /** Whether something of a record is typed and not saved. */
  const useHasDraft = (projectId: string, name: string): boolean =>
    useSyncExternalStore(drafts.subscribe, () => drafts.get(draftKey(projectId, name))?.isChanged === true);

  /**
   * The draft of a record, which is kept until it is saved or discarded. What another author changes is taken over as long as
   * nothing is edited here; else it is a conflict.
   *
   * @param given the record as it was read last; undefined for a new one.
   * @param empty what a new one begins with.
   */
  const useDraft = (
    projectId: string,
    given: WithEtag<Row> | undefined,
    empty: Draft,
  ): RecordEditing<Row, Draft> => {
    const [saved, setSaved] = useState<WithEtag<Row>>();
    const read = latest(given, saved);
    const key = draftKey(projectId, read?.record.name);
    const startOf = (state: WithEtag<Row> | undefined): Draft =>
      state === undefined ? empty : draftOf(state.record);
    const stored = useSyncExternalStore(drafts.subscribe, () => drafts.get(key));
    const kept = stored?.isChanged === true || stored?.base?.etag === read?.etag ? stored : undefined;
    const { base, draft, isChanged } = kept ?? { base: read, draft: startOf(read), isChanged: false };
    const isCurrent = base?.etag === read?.etag;
    return {
      draft,
      base,
      isChanged,
      change: (next) =>
        drafts.set(key, { base, draft: next, isChanged: !isCurrent || !isSameDraft(next, startOf(base)) }),
      conflict: isCurrent ? undefined : read,
      discard: () => drafts.delete(key),
      settle: (state) =>
        flushSync(() => {
          setSaved(state);
          drafts.delete(key);
        }),
      rebase: () => drafts.set(key, { base: read, draft, isChanged: true }),
    };
  };

  return { useDraft, useHasDraft };
};

import type { AuditRecord } from "@ikg/audit";
import { type Outbox, storeAnnouncements, type StoredAnnouncements } from "@ikg/announcements";
import type { ChangeRecord, Gid, RecordTransition } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import type { AuditNote } from "@ikg/service";
import { storeRecords } from "../outbox/store-records.ts";
import { announcementOf } from "../records/announcement.ts";
import { changeNote } from "../records/change-note.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { actionOf, type TransitionWriter, recordIn, type Transition } from "../records/transition.ts";
import { changeableOf, isKept } from "./kinds.ts";
import { writeChange } from "./write-change.ts";

/** What is needed to store and announce the change of a request. */
export interface JournalParts {
  readonly store: Store;
  readonly outbox: Pick<Outbox, "deliver">;
}

/** What is known of the request. */
export interface JournalRequest {
  readonly auditRecord: (createNote: () => AuditNote, status: number) => Promise<AuditRecord | undefined>;
  readonly caller: CallerContext;
  /** Of the answer when the change is committed. */
  readonly status: number;
  /** Names of the fields that were sent. */
  readonly fields?: readonly string[] | undefined;
  readonly message?: string | undefined;
  readonly reverts?: Gid | undefined;
  /** What the call itself leaves besides the records of each change. */
  readonly callNote?: (changeId: Gid, transitions: readonly Transition[]) => AuditNote;
}

/** One request's change of records: what is written together with it, and what is published once it is committed. */
export interface Journal {
  readonly write: TransitionWriter;
  /** The change record of what was committed; undefined where none is kept, or nothing changed. */
  changeRecord(): ChangeRecord | undefined;
  /** Publishes the announcements of the committed change. */
  publish(): Promise<void>;
}

/** A transition as an entry of a change record. */
export const transitionOf = (transition: Transition): RecordTransition => {
  const { before, after } = transition;
  const { id, kind, name = "" } = recordIn(transition);
  const collection = changeableOf(kind);
  if (collection === undefined) throw new Error(`no change records of ${kind}`);
  return {
    collection,
    id,
    name,
    op: after === undefined ? "delete" : "put",
    from_version: before?.version ?? 0,
    to_version: after?.version ?? 0,
  };
};

/** Stores the change record of these transitions, with their texts; of one project, as they are all in one. */
const keepChange = async (
  tx: Transaction,
  store: Store,
  { caller, message, reverts }: JournalRequest,
  transitions: readonly Transition[],
): Promise<ChangeRecord | undefined> => {
  const [first] = transitions;
  const projectId = first === undefined ? undefined : recordIn(first).projectId;
  if (projectId === undefined || !isKept(transitions)) return undefined;
  const { organizationId, accountId } = caller;
  const header = { projectId, organizationId, accountId, message, reverts };
  const { id, time } = await writeChange(tx, store, header, transitions);
  return {
    id,
    project_id: projectId,
    create_time: time,
    created_by: accountId,
    ...(message === undefined ? {} : { message }),
    ...(reverts === undefined ? {} : { reverts }),
    changes: transitions.map(transitionOf),
  };
};

const verbs = { created: "create", updated: "update", deleted: "delete" } as const;

/** What audit records say of each transition. */
const notesOf = (
  transitions: readonly Transition[],
  fields: readonly string[] | undefined,
  changeId: Gid | undefined,
): readonly AuditNote[] =>
  transitions.map((transition) => {
    const action = verbs[actionOf(transition)];
    const record = recordIn(transition);
    return changeNote(action, record, action === "delete" ? undefined : fields, changeId);
  });

/**
 * The announcements and audit records of a change are stored in its transaction: a process that is killed at any moment leaves
 * the change with both, or nothing. Changes of policies and queries are stored with their texts as well.
 */
export const openJournal = ({ store, outbox }: JournalParts, request: JournalRequest): Journal => {
  let stored: readonly StoredAnnouncements[] = [];
  let change: ChangeRecord | undefined;
  return {
    write: async (tx, transitions) => {
      change = await keepChange(tx, store, request, transitions);
      const call = change === undefined ? undefined : request.callNote?.(change.id, transitions);
      const notes = [
        ...notesOf(transitions, request.fields, change?.id),
        ...(call === undefined ? [] : [call]),
      ];
      const records = await Promise.all(notes.map((note) => request.auditRecord(() => note, request.status)));
      const kept = records.filter((record) => record !== undefined);
      await storeRecords(tx, kept, request.caller.organizationId);
      stored = await storeAnnouncements(
        tx,
        transitions.map((transition) => announcementOf(actionOf(transition), recordIn(transition))),
      );
    },
    changeRecord: () => change,
    publish: () => outbox.deliver(stored),
  };
};

import type { AuditRecord } from "@ikg/audit";
import type { ChangeRecord, Gid, RecordTransition } from "@ikg/contracts";
import type { AuditNote, Note } from "@ikg/service";
import { writeOutbox, type OutboxEntry } from "../outbox/entry.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { type Announce, announcementOf } from "../records/announce.ts";
import { changeNote } from "../records/change-note.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { actionOf, type Alongside, recordIn, type Transition } from "../records/transition.ts";
import { changeableOf, isKept } from "./kinds.ts";
import { writeChange } from "./write-change.ts";

/** What is needed to store and announce the change of a request. */
export interface JournalParts {
  readonly store: Store;
  readonly announce: Announce;
  readonly outbox: Pick<Outbox, "deliver">;
}

/** What is known of the request. */
export interface JournalRequest {
  readonly note: Note;
  readonly auditRecord: (tell: () => AuditNote, status: number) => AuditRecord | undefined;
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
  readonly write: Alongside;
  /** The change record of what was committed; undefined where none is kept, or nothing changed. */
  changeRecord(): ChangeRecord | undefined;
  /** Publishes the committed change: announcements and audit records. */
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

/**
 * Changes of policies and queries are stored with their texts, and with their announcements and audit records; those of other
 * records are published after the commit, and lost if the process is killed in between.
 */
export const openJournal = ({ store, announce, outbox }: JournalParts, request: JournalRequest): Journal => {
  const { caller, status, fields, message, reverts } = request;
  let written: readonly Transition[] = [];
  let entry: OutboxEntry | undefined;
  let change: ChangeRecord | undefined;

  const announcements = () =>
    written.map((transition) => announcementOf(actionOf(transition), recordIn(transition)));
  const notes = (changeId?: Gid): readonly AuditNote[] =>
    written.map((transition) => {
      const action = verbs[actionOf(transition)];
      const record = recordIn(transition);
      return changeNote(action, record, action === "delete" ? undefined : fields, changeId);
    });

  return {
    write: async (tx, transitions) => {
      written = transitions;
      entry = change = undefined;
      const [first] = transitions;
      const projectId = first === undefined ? undefined : recordIn(first).projectId;
      if (projectId === undefined || !isKept(transitions)) return;
      const { organizationId, accountId } = caller;
      const header = { projectId, organizationId, accountId, message, reverts };
      const { id, time } = await writeChange(tx, store, header, transitions);
      change = {
        id,
        project_id: projectId,
        create_time: time,
        created_by: accountId,
        ...(message === undefined ? {} : { message }),
        ...(reverts === undefined ? {} : { reverts }),
        changes: transitions.map(transitionOf),
      };
      const call = request.callNote?.(id, transitions);
      const records = [...notes(id), ...(call === undefined ? [] : [call])]
        .map((note) => request.auditRecord(() => note, status))
        .filter((record) => record !== undefined);
      const content = { organizationId, announcements: announcements(), records };
      entry = await writeOutbox(tx, content, store.now().getTime());
    },
    changeRecord: () => change,
    publish: async () => {
      if (entry !== undefined) return outbox.deliver(entry);
      for (const note of notes()) request.note(() => note);
      await announce(announcements());
    },
  };
};

const verbs = { created: "create", updated: "update", deleted: "delete" } as const;

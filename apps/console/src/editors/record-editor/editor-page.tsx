import type { ReactNode } from "react";
import { Note } from "../../components/note.tsx";
import { displayText } from "../../text/display-text.ts";
import { Screen } from "../../components/screen.tsx";
import { ConflictNote } from "./conflict-note.tsx";
import type { RecordEditing } from "./edited-records.ts";
import type { EditedFields } from "./record-draft.ts";
import { RecordFacts } from "./record-facts.tsx";

interface EditorPageProps<Row, Draft> {
  /** As "policy" or "query". */
  readonly kind: "policy" | "query";
  /** The way to the list. */
  readonly all: ReactNode;
  /** Undefined for a new record. */
  readonly record: Row | undefined;
  readonly editing: RecordEditing<Row, Draft>;
  readonly mayWrite: boolean;
  /** What is done with the draft; not for those who may not. */
  readonly actions: ReactNode;
  readonly questions: { readonly asNew: string; readonly asRead: string };
  /** What was done last, until something is typed. */
  readonly done: string | undefined;
  /** Records and drafts in lines, as people compare them. */
  readonly readable: { readonly record: (record: Row) => string; readonly draft: (draft: Draft) => string };
  readonly children: ReactNode;
}

const plurals = { policy: "policies", query: "queries" } as const;

/** The page of a record that is edited: what it is called, its state, and who else has changed it. */
export const EditorPage = <Row extends EditedFields & { readonly update_time: string }, Draft>(
  props: EditorPageProps<Row, Draft>,
) => {
  const { kind, all, record, editing, mayWrite, actions, questions, done, readable, children } = props;
  const { isChanged, conflict } = editing;
  return (
    <Screen
      title={record === undefined ? `New ${kind}` : displayText(record.display_name, 80)}
      question={record === undefined ? questions.asNew : questions.asRead}
      actions={mayWrite && actions}
    >
      <RecordFacts
        all={all}
        record={record}
        isChanged={isChanged && mayWrite}
        remark={mayWrite ? undefined : `Your roles allow reading ${plurals[kind]} but not changing them.`}
      />
      {done !== undefined && !isChanged && (
        <Note tone="good">
          <p>{done}</p>
        </Note>
      )}
      {conflict !== undefined && (
        <ConflictNote
          kind={kind}
          savedAt={conflict.record.update_time}
          saved={readable.record(conflict.record)}
          draft={readable.draft(editing.draft)}
          onKeep={editing.rebase}
          onDiscard={editing.discard}
        />
      )}
      {children}
    </Screen>
  );
};

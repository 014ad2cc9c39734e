import type { ReactNode } from "react";
import type { RecordEditing } from "./edited-records.ts";

interface EditingActionsProps {
  readonly isNew: boolean;
  readonly editing: Pick<RecordEditing<never, never>, "isChanged" | "discard"> & {
    readonly theirs: unknown;
  };
  /** Why it cannot be saved yet, as "The policy needs a name". */
  readonly missing: string | undefined;
  readonly onSave: () => void;
  /** Stands first: removing it. */
  readonly children: ReactNode;
}

/** What is done with a draft. */
export const EditingActions = ({ isNew, editing, missing, onSave, children }: EditingActionsProps) => (
  <>
    {children}
    {editing.isChanged && (
      <button type="button" className="button" onClick={editing.discard}>
        Discard
      </button>
    )}
    <button
      type="button"
      className="button primary"
      disabled={!editing.isChanged || editing.theirs !== undefined || missing !== undefined}
      title={missing}
      onClick={onSave}
    >
      {isNew ? "Create…" : "Save…"}
    </button>
  </>
);

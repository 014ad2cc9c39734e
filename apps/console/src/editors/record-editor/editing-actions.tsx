import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";
import type { RecordEditing } from "./edited-records.ts";

interface EditingActionsProps {
  readonly isNew: boolean;
  readonly editing: Pick<RecordEditing<never, never>, "isChanged" | "discard"> & {
    readonly conflict: unknown;
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
    {editing.isChanged && missing !== undefined && <span className="hint">{missing}</span>}
    {editing.isChanged && <Discard onDiscard={editing.discard} />}
    <button
      type="button"
      className="button primary"
      disabled={!editing.isChanged || editing.conflict !== undefined || missing !== undefined}
      onClick={onSave}
    >
      {isNew ? "Create…" : "Save…"}
    </button>
  </>
);

/** Asks first: what was typed cannot be brought back. */
const Discard = ({ onDiscard }: { readonly onDiscard: () => void }) => (
  <AlertDialog.Root>
    <AlertDialog.Trigger className="button">Discard</AlertDialog.Trigger>
    <AlertDialog.Portal>
      <AlertDialog.Overlay className="dialog-overlay" />
      <AlertDialog.Content className="dialog">
        <AlertDialog.Title>Discard your changes?</AlertDialog.Title>
        <AlertDialog.Description>What you typed here and did not save is lost.</AlertDialog.Description>
        <div className="row end">
          <AlertDialog.Cancel className="button">Keep editing</AlertDialog.Cancel>
          <AlertDialog.Action className="button danger" onClick={onDiscard}>
            Discard
          </AlertDialog.Action>
        </div>
      </AlertDialog.Content>
    </AlertDialog.Portal>
  </AlertDialog.Root>
);

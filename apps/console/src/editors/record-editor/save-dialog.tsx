import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { Difference } from "../code/difference.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Note } from "../../components/note.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import type { RecordStatus } from "./record-draft.ts";
import type { RecordValidation } from "./use-check.ts";
import { isConflict, type RecordSaving } from "./use-save-record.ts";

interface SaveDialogProps {
  /** As "policy" or "query". */
  readonly kind: string;
  readonly name: string;
  readonly status: RecordStatus;
  /** The record in lines, as it is; undefined for a new one. */
  readonly former: string | undefined;
  /** As it will be. */
  readonly latter: string;
  readonly lead: string;
  readonly validation: RecordValidation;
  readonly save: RecordSaving;
  /** What is still being read before anything is saved, as "Calculating the impact…". */
  readonly waitingFor?: string | undefined;
  readonly onClose: () => void;
  /** What saving does besides; not shown for what would be refused. */
  readonly children?: ReactNode;
}

/** Whether saving would be refused: only a draft may have errors. */
const errorsThatRefuse = ({ validation, status }: Pick<SaveDialogProps, "validation" | "status">): number =>
  status === "DRAFT"
    ? 0
    : (validation.diagnostics?.filter(({ severity }) => severity === "error").length ?? 0);

const RefusalNote = ({ kind, errors }: { readonly kind: string; readonly errors: number }) => (
  <Note tone="warn">
    <p>
      The {kind} has {errors === 1 ? "an error" : `${errors} errors`}. Only a draft may have some: correct the{" "}
      {kind}, or set its status to Draft.
    </p>
  </Note>
);

/** What saving would change, shown before it is done. */
export const SaveDialog = (props: SaveDialogProps) => {
  const { kind, name, former, latter, lead, validation, save, waitingFor, onClose, children } = props;
  const errors = errorsThatRefuse(props);
  const isRefused = errors > 0;
  const isWaiting = validation.isChecking || (!isRefused && waitingFor !== undefined);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && !save.isPending && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content className="dialog wide-dialog" onInteractOutside={(event) => event.preventDefault()}>
          <Dialog.Title>
            {former === undefined ? "Create" : "Save"} “<PlainText text={name} limit={80} />”
          </Dialog.Title>
          <Dialog.Description className="lead">{lead}</Dialog.Description>
          <section className="stack tight" aria-label="Text">
            <Difference
              formerLabel={former === undefined ? "Nothing" : "As it is"}
              former={former ?? ""}
              latterLabel="As it will be"
              latter={latter}
              isUnified
            />
          </section>
          {isRefused ? <RefusalNote kind={kind} errors={errors} /> : children}
          {save.isError && !isConflict(save.error) && <ErrorNote error={save.error} title="Not saved" />}
          <div className="row end dialog-foot">
            <button type="button" className="button" disabled={save.isPending} onClick={onClose}>
              Back to editing
            </button>
            <button
              type="button"
              className="button primary"
              disabled={isRefused || isWaiting || save.isPending}
              onClick={() => save.mutate()}
            >
              {save.isPending ? "Saving…" : isWaiting ? (waitingFor ?? "Checking…") : "Save"}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

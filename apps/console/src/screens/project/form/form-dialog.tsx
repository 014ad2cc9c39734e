import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";

interface FormDialogProps {
  readonly title: string;
  /** False: neither Escape nor a click beside it closes it. */
  readonly mayClose: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form: neither a click beside it nor Escape discards what was entered. */
export const FormDialog = ({ title, mayClose, onClose, children }: FormDialogProps) => {
  const [isEdited, setEdited] = useState(false);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && mayClose && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content
          className="dialog record-dialog"
          aria-describedby={undefined}
          onInput={() => setEdited(true)}
          onEscapeKeyDown={(event) => isEdited && event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Dialog.Title>{title}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

interface FormButtonsProps {
  readonly isPending: boolean;
  readonly isIncomplete?: boolean;
  /** What the form does, and what it says while it does it. */
  readonly label: string;
  readonly pendingLabel: string;
  readonly onCancel: () => void;
}

export const FormButtons = (props: FormButtonsProps) => {
  const { isPending, isIncomplete = false, label, pendingLabel, onCancel } = props;
  return (
    <div className="row end dialog-foot">
      <button type="button" className="button" disabled={isPending} onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" className="button primary" disabled={isPending || isIncomplete}>
        {isPending ? pendingLabel : label}
      </button>
    </div>
  );
};

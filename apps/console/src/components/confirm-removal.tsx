import { AlertDialog } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { displayText } from "../text/display-text.ts";
import { PlainText } from "./plain-text.tsx";

interface ConfirmRemovalProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  /** As "policy" or "key". */
  readonly kind: string;
  /** What has to be typed. */
  readonly name: string;
  /** What is removed with it. */
  readonly children: ReactNode;
  /** The verb of the action: "Remove" by default. */
  readonly action?: string;
}

/** As long as any name: one that is cut could not be typed. */
const maxCharacters = 300;

/** What is shown counts as the name, too: characters that are not seen cannot be typed as they are. */
const isName = (typed: string, name: string): boolean =>
  typed === name || typed === displayText(name, maxCharacters);

/** Asks for the name of the record before a destructive action. */
export const ConfirmRemoval = ({
  isOpen,
  onClose,
  onConfirm,
  kind,
  name,
  children,
  action = "Remove",
}: ConfirmRemovalProps) => {
  const [typed, setTyped] = useState("");
  const id = useId();
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="dialog-overlay" />
        <AlertDialog.Content className="dialog">
          <AlertDialog.Title>
            {action} the {kind} “<PlainText text={name} limit={maxCharacters} />
            ”?
          </AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div>{children}</div>
          </AlertDialog.Description>
          <div className="field">
            <label htmlFor={id}>Type its name to confirm</label>
            <input
              id={id}
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <div className="row end">
            <AlertDialog.Cancel className="button">
              {action === "Remove" ? "Keep it" : "Cancel"}
            </AlertDialog.Cancel>
            <AlertDialog.Action className="button danger" disabled={!isName(typed, name)} onClick={onConfirm}>
              {action}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};

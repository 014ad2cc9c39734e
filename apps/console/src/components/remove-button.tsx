import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ConfirmRemoval } from "./confirm-removal.tsx";
import { ErrorNote } from "./error-note.tsx";
import { Icon } from "./icon.tsx";

interface RemoveButtonProps {
  /** As "policy" or "query". */
  readonly kind: string;
  /** What has to be typed. */
  readonly name: string;
  /** Of a button in a row of a table: what it removes. */
  readonly label?: string;
  /** The verb of the action: "Remove" by default. */
  readonly action?: string;
  /** The title of an error. */
  readonly failure?: string;
  readonly onRemove: () => Promise<void>;
  readonly onRemoved: () => Promise<void>;
  readonly onFailed: (error: Error) => Promise<void>;
  /** What is removed with it. */
  readonly children: ReactNode;
}

/** Removes what is shown, after its name was typed. */
export const RemoveButton = ({
  kind,
  name,
  label,
  action = "Remove",
  failure = "Not removed",
  onRemove,
  onRemoved,
  onFailed,
  children,
}: RemoveButtonProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutation({ mutationFn: onRemove, onSuccess: onRemoved, onError: onFailed });
  return (
    <>
      <button
        type="button"
        className={`button ${label === undefined ? "danger" : "small"}`}
        aria-label={label}
        disabled={remove.isPending}
        onClick={() => setConfirming(true)}
      >
        {label === undefined && <Icon name="remove" />}
        {action}
      </button>
      {isConfirming && (
        <ConfirmRemoval
          isOpen
          kind={kind}
          name={name}
          action={action}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            remove.mutate();
          }}
        >
          {children}
        </ConfirmRemoval>
      )}
      {remove.isError && <ErrorNote error={remove.error} title={failure} />}
    </>
  );
};

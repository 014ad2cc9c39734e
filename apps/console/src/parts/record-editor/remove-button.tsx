import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ConfirmRemoval } from "../confirm-removal.tsx";
import { ErrorNote } from "../error-note.tsx";
import { Icon } from "../icon.tsx";
import { isConflict } from "./use-save-record.ts";

interface RemoveButtonProps {
  /** As "policy" or "query". */
  readonly kind: string;
  /** What has to be typed. */
  readonly name: string;
  readonly onRemove: () => Promise<void>;
  readonly onRemoved: () => Promise<void>;
  /** It is in another state than the one that is shown. */
  readonly onConflict: () => Promise<void>;
  /** What is removed with it. */
  readonly children: ReactNode;
}

/** Removes a record in the state that is shown, after its name was typed. */
export const RemoveButton = ({
  kind,
  name,
  onRemove,
  onRemoved,
  onConflict,
  children,
}: RemoveButtonProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutation({
    mutationFn: onRemove,
    onSuccess: onRemoved,
    onError: async (error) => {
      if (isConflict(error)) await onConflict();
    },
  });
  return (
    <>
      <button
        type="button"
        className="button danger"
        disabled={remove.isPending}
        onClick={() => setConfirming(true)}
      >
        <Icon name="remove" />
        Remove
      </button>
      {isConfirming && (
        <ConfirmRemoval
          isOpen
          kind={kind}
          name={name}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            remove.mutate();
          }}
        >
          {children}
        </ConfirmRemoval>
      )}
      {remove.isError && <ErrorNote error={remove.error} title="Not removed" />}
    </>
  );
};

import type { WithEtag } from "@ikg/client";
import { useMutation, type UseQueryResult } from "@tanstack/react-query";
import { Dialog } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { Difference } from "../../code/difference.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Loading } from "../../../components/loading.tsx";
import { isConflict } from "../use-save-record.ts";
import type { Versioned } from "./use-versions.ts";

interface RollbackDialogProps<Row extends { readonly id: string }> {
  readonly collection: Versioned<Row>;
  readonly current: WithEtag<Row>;
  readonly version: number;
  /** The record as it was in that version. */
  readonly former: Pick<UseQueryResult<Row>, "data" | "error" | "isPending">;
  readonly readable: (record: Row) => string;
  /** What is still being read before anything changes, as "Calculating the impact…". */
  readonly waitingFor?: string | undefined;
  readonly onClose: () => void;
  /** Gets the record as it is then. */
  readonly onRolledBack: (record: Row) => Promise<void>;
  /** Another author has changed the record: reads `current` again, on which a further attempt is based. */
  readonly onConflict: () => Promise<void>;
  /** What rolling back does besides. */
  readonly children?: ReactNode;
}

/** Creates the version, only over the state that is shown. */
const useRollback = <Row extends { readonly id: string }>(props: RollbackDialogProps<Row>) => {
  const { collection, current, version, onRolledBack, onConflict } = props;
  return useMutation({
    mutationFn: (message: string) =>
      collection.rollback(current.record.id, version, {
        ifMatch: current.etag,
        ...(message !== "" && { message }),
      }),
    onSuccess: onRolledBack,
    onError: async (error) => {
      if (isConflict(error)) await onConflict();
    },
  });
};

/** Creates a new version with the content of a former one, after showing what that changes. */
export const RollbackDialog = <Row extends { readonly id: string }>(props: RollbackDialogProps<Row>) => {
  const { current, version, former, readable, waitingFor, onClose, children } = props;
  const [message, setMessage] = useState("");
  const id = useId();
  const rollback = useRollback(props);
  const isWaiting = former.isPending || waitingFor !== undefined;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && !rollback.isPending && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content
          className="dialog wide-dialog"
          onEscapeKeyDown={(event) => message !== "" && event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Dialog.Title>Roll back to version {version}</Dialog.Title>
          <Dialog.Description className="lead">
            A new version gets its content; the versions between stay.
          </Dialog.Description>
          {former.error !== null && <ErrorNote error={former.error} title="Could not load the version" />}
          {former.data === undefined ? (
            former.error === null && <Loading what="the version" />
          ) : (
            <Difference
              formerLabel="As it is"
              former={readable(current.record)}
              latterLabel={`As in version ${version}`}
              latter={readable(former.data)}
              isUnified
            />
          )}
          {children}
          <div className="field">
            <label htmlFor={id}>Why (kept in the change history)</label>
            <input id={id} value={message} onChange={(event) => setMessage(event.target.value)} />
          </div>
          {rollback.isError && <ErrorNote error={rollback.error} title="Not rolled back" />}
          <div className="row end dialog-foot">
            <button type="button" className="button" disabled={rollback.isPending} onClick={onClose}>
              Keep it as it is
            </button>
            <button
              type="button"
              className="button primary"
              disabled={isWaiting || rollback.isPending || former.data === undefined}
              onClick={() => rollback.mutate(message.trim())}
            >
              {rollback.isPending ? "Rolling back…" : isWaiting ? (waitingFor ?? "Loading…") : "Roll back"}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmRemoval } from "../../../parts/confirm-removal.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { RecordScreen } from "./record-screen.ts";
import { collectionOf, type NamedRecord, type ReadRecord, useRecordsChanged } from "./use-records.ts";

interface RemoveRecordProps<Row extends NamedRecord> {
  readonly projectId: string;
  readonly kind: RecordScreen<Row>;
  readonly read: ReadRecord<Row>;
  readonly onRemoved: () => Promise<void>;
}

/** Removes a record in the state that is shown, after its name was typed. */
export const RemoveRecord = <Row extends NamedRecord>(props: RemoveRecordProps<Row>) => {
  const { projectId, kind, read, onRemoved } = props;
  const { name, id } = read.record;
  const [isConfirming, setConfirming] = useState(false);
  const admin = useAdmin(projectId);
  const changed = useRecordsChanged(projectId);
  const remove = useMutation({
    mutationFn: () => collectionOf(admin, kind.collection).delete(id, { ifMatch: read.etag }),
    onSuccess: async () => {
      await onRemoved();
      await changed();
    },
    onError: changed,
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
        {remove.isPending ? "Removing…" : "Remove"}
      </button>
      {isConfirming && (
        <ConfirmRemoval
          isOpen
          kind={kind.singular}
          name={name}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            remove.mutate();
          }}
        >
          <p>{kind.removal}</p>
        </ConfirmRemoval>
      )}
      {remove.isError && <ErrorNote error={remove.error} title="Not removed" />}
    </>
  );
};

import { RemoveButton } from "../../../components/remove-button.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { RecordKindView } from "./record-kind-view.ts";
import { collectionOf, type NamedRecord, type ReadRecord, useRecordsChanged } from "./use-records.ts";

interface RemoveRecordProps<Row extends NamedRecord> {
  readonly projectId: string;
  readonly kind: RecordKindView<Row>;
  readonly read: ReadRecord<Row>;
  readonly onRemoved: () => Promise<void>;
}

/** Removes a record in the state that is shown. */
export const RemoveRecord = <Row extends NamedRecord>(props: RemoveRecordProps<Row>) => {
  const { projectId, kind, read, onRemoved } = props;
  const { name, id } = read.record;
  const admin = useAdmin(projectId);
  const changed = useRecordsChanged(projectId);
  return (
    <RemoveButton
      kind={kind.singular}
      name={name}
      onRemove={() => collectionOf(admin, kind.collection).delete(id, { ifMatch: read.etag })}
      onRemoved={async () => {
        await onRemoved();
        await changed();
      }}
      onFailed={changed}
    >
      <p>{kind.removal}</p>
    </RemoveButton>
  );
};

import { PlainText } from "../../../components/plain-text.tsx";
import type { RecordTab } from "./record-kind-view.ts";
import { RecordLink } from "./record-link.tsx";
import { type CollectionName, type NamedRecord, useRecords } from "./use-records.ts";

interface ReferencedRecordProps {
  readonly projectId: string;
  readonly collection: CollectionName;
  readonly tab: RecordTab;
  readonly id: string;
}

/** Another record that a record names by its gid. */
export const ReferencedRecord = ({ projectId, collection, tab, id }: ReferencedRecordProps) => {
  const { data } = useRecords<NamedRecord>(projectId, collection);
  const found = data?.find((each) => each.id === id);
  return found === undefined ? <PlainText text={id} mono /> : <RecordLink tab={tab} name={found.name} />;
};

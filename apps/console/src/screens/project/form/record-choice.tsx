import { displayText } from "../../../text/display-text.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { type NamedRecord, useRecords } from "../records/use-records.ts";

interface RecordChoiceProps {
  readonly id: string;
  readonly described: string | undefined;
  readonly projectId: string;
  readonly collection: "agents" | "introspects";
  /** Gid; empty: none is chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Chooses a record of another collection. */
export const RecordChoice = (props: RecordChoiceProps) => {
  const { id, described, projectId, collection, value, onChange } = props;
  const { data, error, refetch } = useRecords<NamedRecord>(projectId, collection);
  if (error !== null) return <ErrorNote error={error} title="Could not load the choices" onRetry={refetch} />;
  return (
    <select
      id={id}
      value={value}
      aria-describedby={described}
      disabled={data === undefined}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{data?.length === 0 ? "There is none yet" : "Choose one"}</option>
      {data?.map((record) => (
        <option key={record.id} value={record.id}>
          {displayText(record.name, 80)}
        </option>
      ))}
    </select>
  );
};

import { FileDrop } from "../../../components/file-drop.tsx";

interface DataDropProps {
  readonly isFirst: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

const accept = ".csv,.tsv,.tab,.ndjson,.jsonl,.gz";

/** Takes files of data that are dropped or chosen. */
export const DataDrop = ({ isFirst, onFiles }: DataDropProps) =>
  isFirst ? (
    <FileDrop label="Choose a file" icon="plus" accept={accept} look="large" onFiles={onFiles}>
      <h2>Drop a CSV or NDJSON file here</h2>
      <p className="hint">
        Also TSV, and any of them compressed by gzip. Files are read in this tab: nothing is sent until you
        import.
      </p>
    </FileDrop>
  ) : (
    <FileDrop label="Add a file" icon="plus" accept={accept} look="small" onFiles={onFiles} />
  );

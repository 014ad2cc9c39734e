import { exportFiles, type ExportFile } from "@ikg/audit/verification";
import { useState } from "react";
import { FileDrop } from "../../../components/file-drop.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { type ChosenFiles, kindOfFile } from "./export-files.ts";

interface FileFieldProps {
  readonly files: ChosenFiles;
  /** A change gets the files that there are: reading what was added takes a moment. */
  readonly onFiles: (change: (files: ChosenFiles) => ChosenFiles) => void;
  /** Called with true when files are added, and with false once they were looked at. */
  readonly onReading: (isReading: boolean) => void;
}

const contents: Readonly<Record<ExportFile, string>> = {
  keys: "keys",
  manifests: "signed manifests",
  batches: "batches of records",
  checkpoints: "checkpoints",
};

const bytesText = new Intl.NumberFormat(undefined, {
  style: "unit",
  unit: "kilobyte",
  maximumFractionDigits: 1,
});

/** Takes the files of an export, dropped or chosen. */
export const FileField = ({ files, onFiles, onReading }: FileFieldProps) => {
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const look = async (added: readonly File[]): Promise<void> => {
    const kinds = await Promise.all(added.map(async (file) => [await kindOfFile(file), file] as const));
    setUnknown(kinds.flatMap(([kind, file]) => (kind === undefined ? [file.name] : [])));
    onFiles((now) => ({
      ...now,
      ...Object.fromEntries(kinds.flatMap(([kind, file]) => (kind === undefined ? [] : [[kind, file]]))),
    }));
  };
  const add = (added: readonly File[]): void => {
    onReading(true);
    void look(added).finally(() => onReading(false));
  };
  return (
    <>
      <FileDrop label="Choose files" icon="import" accept=".ndjson,.json" look="framed" onFiles={add}>
        <p>
          Drop files of <code>ikg audit export</code> here
        </p>
        <p className="hint">
          {Object.values(exportFiles).join(", ")}. What is missing is read from the service.
        </p>
      </FileDrop>
      {Object.keys(files).length > 0 && (
        <ul className="plain">
          {(Object.entries(files) as [ExportFile, File][]).map(([kind, file]) => (
            <li key={kind} className="row">
              <Icon name="check" />
              <PlainText text={file.name} mono limit={80} />
              <span className="hint">
                {contents[kind]}, {bytesText.format(file.size / 1_000)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {unknown.length > 0 && (
        <Note tone="warn">
          <p>
            Not a file of an export: <PlainText text={unknown.join(", ")} limit={300} />
          </p>
        </Note>
      )}
    </>
  );
};

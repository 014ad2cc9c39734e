import { type ChangeEvent, type DragEvent, useId, useState } from "react";
import { Icon } from "../../../parts/icon.tsx";

interface FileDropProps {
  readonly isFirst: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped or chosen. */
export const FileDrop = ({ isFirst, onFiles }: FileDropProps) => {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    // The same file can be chosen again.
    target.value = "";
  };
  const over = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className={isFirst ? "import-drop first" : "import-drop"}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {isFirst && (
        <>
          <h2>Drop a CSV or NDJSON file here</h2>
          <p className="hint">
            Also TSV, and any of them compressed by gzip. Files are read in this tab: nothing is sent until
            you import.
          </p>
        </>
      )}
      <input
        id={id}
        type="file"
        multiple
        accept=".csv,.tsv,.tab,.ndjson,.jsonl,.gz"
        className="visually-hidden import-file-input"
        onChange={choose}
      />
      <label htmlFor={id} className={isFirst ? "button primary" : "button small"}>
        <Icon name="plus" />
        {isFirst ? "Choose a file" : "Add a file"}
      </label>
    </div>
  );
};

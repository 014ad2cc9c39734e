import { type ChangeEvent, type DragEvent, type ReactNode, useId, useState } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface FileDropProps {
  /** What the button says. */
  readonly label: string;
  readonly icon: IconName;
  /** Endings of the files that are offered, with commas between them. */
  readonly accept: string;
  /** `large` where files are the first step, `framed` among other things, `small` where more can be added. */
  readonly look: "large" | "framed" | "small";
  readonly onFiles: (files: readonly File[]) => void;
  /** Says what can be dropped. */
  readonly children?: ReactNode;
}

/** Takes files that are dropped or chosen. */
export const FileDrop = ({ label, icon, accept, look, onFiles, children }: FileDropProps) => {
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
      className={`file-drop ${look}`}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
      <input
        id={id}
        type="file"
        multiple
        accept={accept}
        className="visually-hidden file-input"
        onChange={choose}
      />
      <label htmlFor={id} className={look === "large" ? "button primary" : "button small"}>
        <Icon name={icon} />
        {label}
      </label>
    </div>
  );
};

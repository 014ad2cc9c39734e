import { useState } from "react";
import { ColumnSelect } from "./column-select.tsx";

interface ColumnAddProps {
  readonly label: string;
  readonly prompt: string;
  readonly columns: readonly string[];
  readonly onAdd: (column: string) => void;
}

/** Adds a column that is chosen, by Enter or the button: a list changes with each key, so the choice alone adds nothing. */
export const ColumnAdd = ({ label, prompt, columns, onAdd }: ColumnAddProps) => {
  const [chosen, setChosen] = useState("");
  const add = (): void => {
    if (chosen === "") return;
    onAdd(chosen);
    setChosen("");
  };
  return (
    <div
      className="import-add"
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.target instanceof HTMLSelectElement)) return;
        event.preventDefault();
        add();
      }}
    >
      <ColumnSelect label={label} prompt={prompt} columns={columns} value={chosen} onChange={setChosen} />
      <button
        type="button"
        className="button small"
        aria-label={label}
        disabled={chosen === ""}
        onClick={add}
      >
        Add
      </button>
    </div>
  );
};

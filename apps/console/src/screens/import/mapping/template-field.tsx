import { templateOf } from "@ikg/imports/browser";
import { useId } from "react";
import { useColumnDrop } from "./column-drop.ts";
import { ColumnAdd } from "./column-add.tsx";

interface TemplateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly columns: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A text with columns in braces; a column that is dropped or chosen is added to it. */
export const TemplateField = ({ label, value, columns, onChange }: TemplateFieldProps) => {
  const id = useId();
  const add = (column: string): void =>
    onChange(value === "" ? templateOf(column) : `${value}-${templateOf(column)}`);
  const drop = useColumnDrop((column) => onChange(templateOf(column)));
  return (
    <div className="field import-slot" {...drop}>
      <label htmlFor={id}>{label}</label>
      <div className="import-template">
        <input
          id={id}
          className="mono"
          value={value}
          placeholder="{column}"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
        <ColumnAdd label={`${label}: add a column`} prompt="add…" columns={columns} onAdd={add} />
      </div>
    </div>
  );
};

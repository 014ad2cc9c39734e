import { displayText } from "../../../text/display-text.ts";

interface ColumnSelectProps {
  readonly label: string;
  /** Shown while none is chosen. */
  readonly prompt: string;
  readonly columns: readonly string[];
  readonly value?: string | undefined;
  readonly onChange: (column: string) => void;
}

/** Chooses a column: whatever is done by dragging is done here as well. */
export const ColumnSelect = ({ label, prompt, columns, value = "", onChange }: ColumnSelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    {!columns.includes(value) && (
      <option value={value}>{value === "" ? prompt : displayText(value, 60)}</option>
    )}
    {columns.map((each) => (
      <option key={each} value={each}>
        {displayText(each, 60)}
      </option>
    ))}
  </select>
);

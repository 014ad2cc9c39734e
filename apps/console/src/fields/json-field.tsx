import { useId } from "react";
import { describedBy, FieldNotes } from "./field-notes.tsx";

interface JsonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isReadOnly?: boolean;
  readonly rows?: number;
}

/** A field for JSON, with its error below. */
export const JsonField = ({
  label,
  value,
  onChange,
  error,
  hint,
  placeholder,
  isReadOnly = false,
  rows = 3,
}: JsonFieldProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="mono"
        rows={rows}
        value={value}
        readOnly={isReadOnly}
        placeholder={placeholder}
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy({ id, error, hint })}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
};

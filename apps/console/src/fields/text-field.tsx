import { useId } from "react";
import { describedBy, FieldNotes } from "./field-notes.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
}

/** A field with suggestions and, below it, its error. */
export const TextField = ({
  label,
  value,
  onChange,
  error,
  suggestions = [],
  placeholder,
}: TextFieldProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        list={`${id}-list`}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy({ id, error, hint: undefined })}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-list`}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <FieldNotes id={id} error={error} hint={undefined} />
    </div>
  );
};

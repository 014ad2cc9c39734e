import { useId } from "react";

interface JsonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly wrong?: string | undefined;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isReadOnly?: boolean;
  readonly rows?: number;
}

/** A field for JSON, with what is wrong with it below. */
export const JsonField = ({
  label,
  value,
  onChange,
  wrong,
  hint,
  placeholder,
  isReadOnly = false,
  rows = 3,
}: JsonFieldProps) => {
  const id = useId();
  const described = [wrong !== undefined && `${id}-wrong`, hint !== undefined && `${id}-hint`].filter(
    Boolean,
  );
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
        aria-invalid={wrong !== undefined}
        aria-describedby={described.length === 0 ? undefined : described.join(" ")}
        onChange={(event) => onChange(event.target.value)}
      />
      {wrong !== undefined && (
        <p className="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

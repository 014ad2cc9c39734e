import type { FieldOf } from "./form-field.ts";
import { LabelledField } from "./labelled-field.tsx";

interface LineInputProps {
  readonly field: FieldOf<"text" | "secret" | "long" | "choice">;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A field for one text. */
export const LineInput = ({ field, value, error, onChange }: LineInputProps) => (
  <LabelledField field={field} error={error}>
    {(id, described) => {
      const shared = {
        id,
        value,
        "aria-invalid": error !== undefined,
        "aria-describedby": described,
      } as const;
      if (field.kind === "choice")
        return (
          <select {...shared} onChange={(event) => onChange(event.target.value)}>
            {field.choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
        );
      if (field.kind === "long")
        return (
          <textarea {...shared} rows={3} dir="auto" onChange={(event) => onChange(event.target.value)} />
        );
      return (
        <input
          {...shared}
          type={field.kind === "secret" ? "password" : "text"}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          placeholder={field.kind === "text" ? field.placeholder : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    }}
  </LabelledField>
);

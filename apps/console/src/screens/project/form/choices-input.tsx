import { useId } from "react";
import { describedBy, FieldNotes } from "../../../fields/field-notes.tsx";
import type { FieldOf } from "./form-field.ts";

interface ChoicesInputProps {
  readonly field: FieldOf<"choices">;
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (values: readonly string[]) => void;
}

/** A field for several of some choices. */
export const ChoicesInput = ({
  field: { label, choices, hint },
  chosen,
  error,
  onChange,
}: ChoicesInputProps) => {
  const id = useId();
  return (
    <div
      className="field"
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy({ id, error, hint })}
    >
      <span className="label" id={`${id}-label`}>
        {label}
      </span>
      <div className="choices">
        {choices.map((choice) => (
          <label className="check" key={choice.value}>
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...chosen, choice.value]
                    : chosen.filter((each) => each !== choice.value),
                )
              }
            />
            <span>
              {choice.label}
              {choice.hint !== undefined && <small>{choice.hint}</small>}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
};

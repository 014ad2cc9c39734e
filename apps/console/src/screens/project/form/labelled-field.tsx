import { type ReactNode, useId } from "react";
import { describedBy, FieldNotes } from "../../../fields/field-notes.tsx";
import type { FormField } from "./form-field.ts";

interface LabelledFieldProps {
  readonly field: FormField;
  readonly error: string | undefined;
  readonly children: (id: string, described: string | undefined) => ReactNode;
}

/** An input below its label, above its error and its hint. */
export const LabelledField = ({ field: { label, hint }, error, children }: LabelledFieldProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, describedBy({ id, error, hint }))}
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
};

import { JsonField } from "../../../fields/json-field.tsx";
import { ListField } from "../../../fields/list-field.tsx";
import { ChoicesInput } from "./choices-input.tsx";
import { type FieldOf, type FormField, type FormValues, listIn } from "./form-field.ts";
import { LabelledField } from "./labelled-field.tsx";
import { LineInput } from "./line-input.tsx";
import { RecordChoice } from "./record-choice.tsx";

interface FieldInputProps {
  readonly projectId: string;
  readonly field: FormField;
  readonly values: FormValues;
  readonly error: string | undefined;
  readonly onChange: (value: string | boolean | readonly string[]) => void;
}

/** One field of a form, with its hint and its error. */
export const FieldInput = (props: FieldInputProps) => {
  const { projectId, field, values, error, onChange } = props;
  const value = values[field.name];
  const text = typeof value === "string" ? value : "";
  switch (field.kind) {
    case "json":
      return <JsonInput field={field} value={text} error={error} onChange={onChange} />;
    case "list":
      return (
        <ListField
          label={field.label}
          item={field.item}
          max={field.max}
          values={listIn(values, field.name)}
          error={error}
          onChange={onChange}
        />
      );
    case "check":
      return <CheckInput field={field} isOn={value === true} error={error} onChange={onChange} />;
    case "choices":
      return (
        <ChoicesInput field={field} chosen={listIn(values, field.name)} error={error} onChange={onChange} />
      );
    case "record":
      return (
        <LabelledField field={field} error={error}>
          {(id, described) => (
            <RecordChoice
              id={id}
              described={described}
              projectId={projectId}
              collection={field.collection}
              value={text}
              onChange={onChange}
            />
          )}
        </LabelledField>
      );
    case "choice":
    case "text":
    case "secret":
    case "long":
      return <LineInput field={field} value={text} error={error} onChange={onChange} />;
  }
};

interface JsonInputProps {
  readonly field: FieldOf<"json">;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

const JsonInput = ({ field: { label, hint, placeholder }, value, error, onChange }: JsonInputProps) => (
  <JsonField
    label={label}
    value={value}
    error={error}
    onChange={onChange}
    {...(hint !== undefined && { hint })}
    {...(placeholder !== undefined && { placeholder })}
  />
);

interface CheckInputProps {
  readonly field: FormField;
  readonly isOn: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: boolean) => void;
}

const CheckInput = ({ field, isOn, error, onChange }: CheckInputProps) => (
  <label className="check">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    <span>
      {field.label}
      {field.hint !== undefined && <small>{field.hint}</small>}
      {error !== undefined && <small className="wrong">{error}</small>}
    </span>
  </label>
);

import { useId } from "react";
import { describedBy, FieldNotes } from "../../../parts/field-notes.tsx";
import { JsonField } from "../../../parts/json-field.tsx";
import { ListField } from "../../../parts/list-field.tsx";
import { type FormField, type FormValues, listIn } from "./form-field.ts";
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
      return (
        <JsonField
          label={field.label}
          value={text}
          error={error}
          onChange={onChange}
          {...(field.hint !== undefined && { hint: field.hint })}
          {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
        />
      );
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
        <Labelled field={field} error={error}>
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
        </Labelled>
      );
    case "choice":
    case "text":
    case "secret":
    case "long":
      return (
        <Labelled field={field} error={error}>
          {(id, described) => (
            <LineInput
              id={id}
              described={described}
              field={field}
              value={text}
              isInvalid={error !== undefined}
              onChange={onChange}
            />
          )}
        </Labelled>
      );
  }
};

interface LabelledProps {
  readonly field: FormField;
  readonly error: string | undefined;
  readonly children: (id: string, described: string | undefined) => React.ReactNode;
}

const Labelled = ({ field: { label, hint }, error, children }: LabelledProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, describedBy({ id, error, hint }))}
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
};

interface LineInputProps {
  readonly id: string;
  readonly described: string | undefined;
  readonly field: Extract<FormField, { kind: "text" | "secret" | "long" | "choice" }>;
  readonly value: string;
  readonly isInvalid: boolean;
  readonly onChange: (value: string) => void;
}

const LineInput = ({ id, described, field, value, isInvalid, onChange }: LineInputProps) => {
  const shared = { id, value, "aria-invalid": isInvalid, "aria-describedby": described } as const;
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
    return <textarea {...shared} rows={3} dir="auto" onChange={(event) => onChange(event.target.value)} />;
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
};

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

interface ChoicesInputProps {
  readonly field: Extract<FormField, { kind: "choices" }>;
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (values: readonly string[]) => void;
}

const ChoicesInput = ({ field: { label, choices, hint }, chosen, error, onChange }: ChoicesInputProps) => {
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

import { type ReactNode, useId } from "react";
import { describedBy, FieldNotes } from "../../fields/field-notes.tsx";
import { TextField } from "../../fields/text-field.tsx";
import type { RecordDiagnostic } from "./diagnostics.ts";
import { type RecordDraft, type RecordStatus, statuses } from "./record-draft.ts";
import { statusTexts } from "./status-tag.tsx";

interface RecordFieldsProps<Draft extends RecordDraft> {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  readonly exampleName: string;
  /** What each status means for a record of this kind. */
  readonly statusHints: Readonly<Record<RecordStatus, string>>;
  /** Fields that the kind has besides. */
  readonly children?: ReactNode;
}

/** The first error about a member of the record. */
export const memberError = (diagnostics: readonly RecordDiagnostic[], name: string): string | undefined =>
  diagnostics.find((each) => each.severity === "error" && each.path.split(/[.[]/)[0] === name)?.text;

/** What a record is called, and whether it is in use. */
export const RecordFields = <Draft extends RecordDraft>(props: RecordFieldsProps<Draft>) => {
  const { draft, onChange, diagnostics, isNew, isReadOnly, exampleName, statusHints, children } = props;
  const id = useId();
  const errorOf = (path: string): string | undefined => memberError(diagnostics, path);
  return (
    <fieldset className="card stack record-fields" disabled={isReadOnly}>
      <legend className="visually-hidden">Record</legend>
      {isNew && (
        <TextField
          label="Name"
          value={draft.name}
          placeholder={exampleName}
          error={draft.name === "" ? undefined : errorOf("name")}
          onChange={(name) => onChange({ ...draft, name })}
        />
      )}
      <div className="field">
        <label htmlFor={id}>Status</label>
        <select
          id={id}
          value={draft.status}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            const status = statuses.find((each) => each === event.target.value);
            if (status !== undefined) onChange({ ...draft, status });
          }}
        >
          {statuses.map((status) => (
            <option key={status} value={status}>
              {statusTexts[status]}
            </option>
          ))}
        </select>
        <p className="hint" id={`${id}-hint`}>
          {statusHints[draft.status]}
        </p>
      </div>
      {children}
      <TextField
        label="Display name"
        value={draft.displayName}
        error={errorOf("display_name")}
        onChange={(displayName) => onChange({ ...draft, displayName })}
      />
      <DescriptionField
        value={draft.description}
        error={errorOf("description")}
        onChange={(description) => onChange({ ...draft, description })}
      />
    </fieldset>
  );
};

interface DescriptionFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (description: string) => void;
}

const DescriptionField = ({ value, error, onChange }: DescriptionFieldProps) => {
  const notes = { id: useId(), error, hint: undefined };
  return (
    <div className="field">
      <label htmlFor={notes.id}>Description</label>
      <textarea
        id={notes.id}
        rows={3}
        value={value}
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(notes)}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldNotes {...notes} />
    </div>
  );
};

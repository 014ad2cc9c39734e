import { useId } from "react";
import { ListField } from "../../../parts/list-field.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import type { PolicyDiagnostic } from "../draft/diagnostics.ts";
import { type PolicyDraft, statuses } from "../draft/draft.ts";
import { statusTexts } from "../list/status-tag.tsx";

interface RecordFieldsProps {
  readonly draft: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
  readonly diagnostics: readonly PolicyDiagnostic[];
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
}

const statusHints = {
  ACTIVE: "It decides, within two seconds of being saved.",
  INACTIVE: "It is kept, and decides nothing.",
  DRAFT: "It is kept, may have errors, and decides nothing.",
} as const;

/** What a policy is called, and whether it decides. */
export const RecordFields = ({ draft, onChange, diagnostics, isNew, isReadOnly }: RecordFieldsProps) => {
  const id = useId();
  const wrongAt = (path: string): string | undefined =>
    diagnostics.find((each) => each.severity === "error" && each.path.split(/[.[]/)[0] === path)?.text;
  return (
    <fieldset className="card stack record-fields" disabled={isReadOnly}>
      <legend className="visually-hidden">Record</legend>
      {isNew && (
        <TextField
          label="Name"
          value={draft.name}
          placeholder="may-read-documents"
          wrong={draft.name === "" ? undefined : wrongAt("name")}
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
      <ListField
        label="Tags"
        each="tag"
        most={20}
        values={draft.tags}
        wrong={wrongAt("tags")}
        isReadOnly={isReadOnly}
        onChange={(tags) => onChange({ ...draft, tags })}
      />
      <TextField
        label="Display name"
        value={draft.displayName}
        wrong={wrongAt("display_name")}
        onChange={(displayName) => onChange({ ...draft, displayName })}
      />
      <div className="field">
        <label htmlFor={`${id}-description`}>Description</label>
        <textarea
          id={`${id}-description`}
          rows={3}
          value={draft.description}
          dir="auto"
          aria-invalid={wrongAt("description") !== undefined}
          onChange={(event) => onChange({ ...draft, description: event.target.value })}
        />
        {wrongAt("description") !== undefined && <p className="wrong">{wrongAt("description")}</p>}
      </div>
    </fieldset>
  );
};

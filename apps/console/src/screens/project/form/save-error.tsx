import { ErrorNote } from "../../../components/error-note.tsx";
import { isConflict } from "../../../editors/record-editor/use-save-record.ts";
import type { FieldErrors } from "./field-errors.ts";

interface SaveErrorProps {
  readonly error: unknown;
  /** The messages at the fields. */
  readonly fieldErrors: FieldErrors;
  /** What did not happen, as "Not saved". */
  readonly title?: string;
}

/** Why a form was not saved, as far as the fields do not say it. */
export const SaveError = ({ error, fieldErrors, title = "Not saved" }: SaveErrorProps) => {
  if (isConflict(error))
    return (
      <div className="note bad" role="alert">
        <p className="note-body">
          The record was changed since it was opened, so it was not saved. Close this form and edit the
          current version.
        </p>
      </div>
    );
  const isPlaced = fieldErrors.rest.length === 0 && Object.keys(fieldErrors.fields).length > 0;
  if (isPlaced)
    return (
      <div className="note bad" role="alert">
        <p className="note-body">{title}: see the messages at the fields.</p>
      </div>
    );
  return <ErrorNote error={error} title={title} />;
};

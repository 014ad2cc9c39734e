import type { FormEvent } from "react";
import { JsonField } from "../../../fields/json-field.tsx";
import { OptionalFields } from "../../../fields/optional-fields.tsx";
import { objectError } from "../../../text/json.ts";
import type { ImpactInputs } from "./impact-of.ts";

interface InputsFormProps {
  readonly typed: ImpactInputs;
  readonly onChange: (inputs: ImpactInputs) => void;
  readonly onApply: (inputs: ImpactInputs) => void;
}

/** The inputs that every decision of a simulation has. */
export const InputsForm = ({ typed, onChange, onApply }: InputsFormProps) => {
  const errors = { params: objectError(typed.params), claims: objectError(typed.claims) };
  const isInvalid = errors.params !== undefined || errors.claims !== undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isInvalid) onApply(typed);
  };
  const isUsed = typed.params !== "" || typed.claims !== "" || typed.isSignedIn;
  return (
    <OptionalFields summary="Request inputs" isUsed={isUsed} isCard>
      <form className="stack" onSubmit={submit}>
        <div className="columns">
          <JsonField
            label="Parameters"
            placeholder='{"min_hours": 100}'
            value={typed.params}
            error={errors.params}
            rows={2}
            onChange={(params) => onChange({ ...typed, params })}
          />
          <JsonField
            label="Claims of the token"
            placeholder='{"scope": "flights"}'
            value={typed.claims}
            error={errors.claims}
            rows={2}
            onChange={(claims) => onChange({ ...typed, claims })}
          />
        </div>
        <label className="check">
          <input
            type="checkbox"
            checked={typed.isSignedIn}
            onChange={(event) => onChange({ ...typed, isSignedIn: event.target.checked })}
          />
          <span>
            Treat each subject as signed in
            <small>
              With a token whose <code>sub</code> is its id.
            </small>
          </span>
        </label>
        <button type="submit" className="button start" disabled={isInvalid}>
          Simulate again
        </button>
      </form>
    </OptionalFields>
  );
};

import { type FormEvent, useId } from "react";
import { displayText } from "../../text/display-text.ts";
import { JsonField } from "../../fields/json-field.tsx";
import { OptionalFields } from "../../fields/optional-fields.tsx";
import { TextField } from "../../fields/text-field.tsx";
import { objectError } from "../../text/json.ts";
import { type SampleDraft, sampleOf } from "./sample.ts";
import type { Sampling } from "./use-sampling.ts";

/** What a sample can be about. */
export interface SampleSubject {
  /** Its external id. */
  readonly id: string;
  readonly name: string;
}

interface SampleFormProps {
  readonly sampling: Sampling;
  /** Those that can be chosen; undefined: an id is typed. */
  readonly subjects?: readonly SampleSubject[] | undefined;
  /** Queries have none. */
  readonly hasResource: boolean;
  /** An example of the parameters that the text names. */
  readonly exampleParams: string;
  readonly isBusy: boolean;
}

/** Runs the statements that read with values, to count rows and database hits. */
export const SampleForm = (props: SampleFormProps) => {
  const { sampling, subjects, isBusy } = props;
  const { draft, setDraft, sample, setSample } = sampling;
  const errors = { params: objectError(draft.params), claims: objectError(draft.claims) };
  const isInvalid = errors.params !== undefined || errors.claims !== undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const subject = subjects === undefined ? draft.subject : (chosenOf(subjects, draft.subject)?.id ?? "");
    if (!isInvalid) setSample(sampleOf({ ...draft, subject }));
  };
  return (
    <OptionalFields
      summary="Measure it for a sample"
      isUsed={sample !== undefined || Object.values(draft).some((text) => text !== "")}
      isCard
    >
      <form className="stack" onSubmit={submit}>
        <p className="hint">
          Statements that read are run with these values, and their rows and database hits are counted.
          Nothing is written, and no value of the graph is shown.
        </p>
        <SampleFields {...props} draft={draft} errors={errors} onChange={setDraft} />
        <button type="submit" className="button start" disabled={isBusy || isInvalid}>
          Measure
        </button>
      </form>
    </OptionalFields>
  );
};

interface SampleFieldsProps extends Pick<SampleFormProps, "subjects" | "hasResource" | "exampleParams"> {
  readonly draft: SampleDraft;
  readonly errors: Readonly<Record<"params" | "claims", string | undefined>>;
  readonly onChange: (draft: SampleDraft) => void;
}

const SampleFields = (props: SampleFieldsProps) => {
  const { subjects, hasResource, exampleParams, draft, errors, onChange } = props;
  return (
    <div className="columns">
      {subjects === undefined ? (
        <TextField
          label="Subject id"
          value={draft.subject}
          error={undefined}
          onChange={(subject) => onChange({ ...draft, subject })}
        />
      ) : (
        <SubjectChoice
          subjects={subjects}
          value={draft.subject}
          onChange={(subject) => onChange({ ...draft, subject })}
        />
      )}
      {hasResource && (
        <TextField
          label="Resource id"
          value={draft.resource}
          error={undefined}
          onChange={(resource) => onChange({ ...draft, resource })}
        />
      )}
      <JsonField
        label="Parameters"
        value={draft.params}
        error={errors.params}
        rows={1}
        placeholder={exampleParams}
        onChange={(params) => onChange({ ...draft, params })}
      />
      <JsonField
        label="Claims of the token"
        value={draft.claims}
        error={errors.claims}
        rows={1}
        placeholder='{"sub": "ann"}'
        onChange={(claims) => onChange({ ...draft, claims })}
      />
    </div>
  );
};

/** The chosen one; the first as long as none is. */
const chosenOf = (subjects: readonly SampleSubject[], id: string): SampleSubject | undefined =>
  subjects.find((each) => each.id === id) ?? subjects[0];

interface SubjectChoiceProps {
  readonly subjects: readonly SampleSubject[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const SubjectChoice = ({ subjects, value, onChange }: SubjectChoiceProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>As the application</label>
      <select
        id={id}
        value={chosenOf(subjects, value)?.id ?? ""}
        onChange={(event) => onChange(event.target.value)}
      >
        {subjects.map((each) => (
          <option key={each.id} value={each.id}>
            {displayText(each.name, 80)}
          </option>
        ))}
      </select>
    </div>
  );
};

import type { FormEvent } from "react";
import type { Rule } from "../use-rules.ts";
import { BatchField } from "./batch-field.tsx";
import { useNodeIds } from "./node-ids.ts";
import { OptionFields } from "./option-fields.tsx";
import type { Draft } from "./playground-search.ts";
import { type Field, fieldsOf } from "./question.ts";
import { TextField } from "../../../fields/text-field.tsx";

interface FormProps {
  readonly projectId: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly errors: Readonly<Partial<Record<Field, string>>>;
  readonly rules: readonly Rule[];
  readonly onAsk: () => void;
  /** Undefined: the question can be asked. */
  readonly blocked: string | undefined;
  readonly isBusy: boolean;
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

/** What is asked. */
export const QuestionForm = (props: FormProps) => {
  const { projectId, draft, onChange, errors, rules, onAsk, blocked, isBusy } = props;
  const subjects = useNodeIds(projectId, draft.subject_type, draft.subject);
  const resources = useNodeIds(projectId, draft.resource_type, draft.resource);
  const shown = new Set(fieldsOf[draft.mode]);
  const field = (name: Field, label: string, suggestions: readonly string[], placeholder: string) =>
    shown.has(name) && (
      <TextField
        label={label}
        value={draft[name]}
        onChange={(value) => onChange({ ...draft, [name]: value })}
        error={errors[name]}
        suggestions={suggestions}
        placeholder={placeholder}
      />
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onAsk();
  };
  return (
    <form className="stack" onSubmit={submit} noValidate aria-label="Question">
      {draft.mode === "batch" ? (
        <BatchField
          value={draft.lines}
          onChange={(lines) => onChange({ ...draft, lines })}
          error={errors.lines}
          rules={rules}
        />
      ) : (
        <>
          <fieldset className="entity">
            <legend>Subject</legend>
            {field("subject_type", "Subject type", distinct(rules.map(({ subject }) => subject)), "Person")}
            {field("subject", "Subject id", subjects, "ann")}
          </fieldset>
          {field("action", "Action", distinct(rules.flatMap(({ actions }) => actions)), "READ")}
          <fieldset className="entity">
            <legend>Resource</legend>
            {field(
              "resource_type",
              "Resource type",
              distinct(rules.map(({ resource }) => resource)),
              "Document",
            )}
            {field("resource", "Resource id", resources, "d1")}
          </fieldset>
        </>
      )}
      <OptionFields {...props} />
      <div className="row">
        <button type="submit" className="button primary wide" disabled={blocked !== undefined || isBusy}>
          {isBusy ? "Asking…" : "Ask"}
        </button>
        {blocked !== undefined && <span className="hint">{blocked}</span>}
      </div>
    </form>
  );
};

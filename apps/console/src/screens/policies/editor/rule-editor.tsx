import { useMemo, useState } from "react";
import { CodeEditor } from "../../../editors/code/code-editor.tsx";
import { placedInJson } from "../../../editors/record-editor/diagnostics.ts";
import { ModeSwitch } from "../../../editors/record-editor/mode-switch.tsx";
import { Problems } from "../../../editors/record-editor/problems.tsx";
import { memberError, RecordFields } from "../../../editors/record-editor/record-fields.tsx";
import type { RecordValidation } from "../../../editors/record-editor/use-check.ts";
import { ListField } from "../../../fields/list-field.tsx";
import type { TextPosition } from "../../../text/text-position.ts";
import { inMode, type PolicyDraft } from "../draft/draft.ts";
import { RuleFields } from "./rule-fields.tsx";

interface RuleEditorProps {
  readonly projectId: string;
  readonly draft: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
  readonly validation: RecordValidation;
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
}

const statusHints = {
  ACTIVE: "It takes effect within two seconds of being saved.",
  INACTIVE: "It is stored but has no effect.",
  DRAFT: "It is stored, may contain errors, and has no effect.",
} as const;

const notChecked: NonNullable<RecordValidation["diagnostics"]> = [];

/** The rule and the record of a policy, with their errors. */
export const RuleEditor = (props: RuleEditorProps) => {
  const { draft, onChange, validation, isNew, isReadOnly } = props;
  const { diagnostics = notChecked } = validation;
  return (
    <div className="record-editor">
      <RuleCard {...props} />
      <RecordFields
        draft={draft}
        onChange={onChange}
        diagnostics={diagnostics}
        isNew={isNew}
        isReadOnly={isReadOnly}
        exampleName="may-read-documents"
        statusHints={statusHints}
      >
        <ListField
          label="Tags"
          item="tag"
          max={20}
          values={draft.tags}
          error={memberError(diagnostics, "tags")}
          isReadOnly={isReadOnly}
          onChange={(tags) => onChange({ ...draft, tags })}
        />
      </RecordFields>
    </div>
  );
};

/** The rule in its form or as JSON, with what is wrong with it. */
const RuleCard = ({ projectId, draft, onChange, validation, isReadOnly }: RuleEditorProps) => {
  const [goTo, setGoTo] = useState<TextPosition>();
  const { rule } = draft;
  const { diagnostics = notChecked } = validation;
  const json = rule.mode === "json" ? rule.json : undefined;
  const placed = useMemo(
    () => (json === undefined ? diagnostics : placedInJson(json, "policy", diagnostics)),
    [json, diagnostics],
  );
  return (
    <div className="stack card">
      <ModeSwitch
        title="Rule"
        isForm={rule.mode === "form"}
        other={inMode(rule, rule.mode === "form" ? "json" : "form")}
        onChange={(next) => onChange({ ...draft, rule: next })}
      />
      {rule.mode === "form" ? (
        <RuleFields
          projectId={projectId}
          form={rule.form}
          onChange={(form) => onChange({ ...draft, rule: { mode: "form", form } })}
          diagnostics={diagnostics}
          goTo={goTo}
          isReadOnly={isReadOnly}
        />
      ) : (
        <CodeEditor
          label="Policy as JSON"
          language="json"
          value={rule.json}
          diagnostics={placed}
          goTo={goTo}
          onChange={(json) => onChange({ ...draft, rule: { mode: "json", json } })}
          isReadOnly={isReadOnly}
        />
      )}
      <Problems
        validation={{ ...validation, diagnostics: validation.diagnostics && placed }}
        onGoTo={setGoTo}
      />
    </div>
  );
};

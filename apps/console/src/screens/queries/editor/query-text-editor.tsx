import { useMemo, useState } from "react";
import { CodeEditor } from "../../../editors/code/code-editor.tsx";
import { placedInJson, type RecordDiagnostic } from "../../../editors/record-editor/diagnostics.ts";
import { ModeSwitch } from "../../../editors/record-editor/mode-switch.tsx";
import { Problems } from "../../../editors/record-editor/problems.tsx";
import type { RecordValidation } from "../../../editors/record-editor/use-check.ts";
import type { TextPosition } from "../../../text/text-position.ts";
import { inOtherMode, type QueryDraft } from "../draft/draft.ts";
import type { QueryPolicies } from "../use-query-policies.ts";
import { PolicyField } from "./policy-field.tsx";
import { QueryFields } from "./query-fields.tsx";

export interface QueryTextEditorProps {
  readonly projectId: string;
  readonly draft: QueryDraft;
  readonly policies: QueryPolicies;
  readonly validation: RecordValidation;
  /** Of the validation; empty while it was not checked. */
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly isReadOnly: boolean;
  readonly onChange: (draft: QueryDraft) => void;
}

/** The policy and the text of a query, in fields or as JSON, with what is wrong in them. */
export const QueryTextEditor = (props: QueryTextEditorProps) => {
  const { projectId, draft, policies, validation, diagnostics, isReadOnly, onChange } = props;
  const [goTo, setGoTo] = useState<TextPosition>();
  const { text } = draft;
  const json = text.mode === "json" ? text.json : undefined;
  const placed = useMemo(
    () => (json === undefined ? diagnostics : placedInJson(json, "query", diagnostics)),
    [json, diagnostics],
  );
  const policy = policies.policies?.get(draft.policyId);
  return (
    <div className="stack card">
      <ModeSwitch
        title="Query"
        isForm={text.mode === "form"}
        other={inOtherMode(text)}
        onChange={(other) => onChange({ ...draft, text: other })}
      />
      <PolicyField
        policies={policies}
        policyId={draft.policyId}
        diagnostics={diagnostics}
        isReadOnly={isReadOnly}
        onChange={(policyId) => onChange({ ...draft, policyId })}
      />
      {text.mode === "form" ? (
        <QueryFields
          projectId={projectId}
          form={text.form}
          allowed={policy?.allowed}
          diagnostics={diagnostics}
          isReadOnly={isReadOnly}
          onChange={(form) => onChange({ ...draft, text: { mode: "form", form } })}
        />
      ) : (
        <CodeEditor
          label="Query as JSON"
          language="json"
          value={text.json}
          diagnostics={placed}
          goTo={goTo}
          isReadOnly={isReadOnly}
          onChange={(next) => onChange({ ...draft, text: { mode: "json", json: next } })}
        />
      )}
      {draft.policyId === "" ? (
        <p className="hint">A query is checked against its policy: choose one first.</p>
      ) : (
        <Problems
          validation={{ ...validation, diagnostics: validation.diagnostics && placed }}
          onGoTo={setGoTo}
        />
      )}
    </div>
  );
};

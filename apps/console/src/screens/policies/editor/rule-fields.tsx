import { useMemo } from "react";
import { CodeEditor } from "../../../editors/code/code-editor.tsx";
import type { CompletionWords } from "../../../editors/code/completions.ts";
import { FilterField } from "../../../fields/filter/filter-field.tsx";
import { JsonField } from "../../../fields/json-field.tsx";
import { ListField } from "../../../fields/list-field.tsx";
import { cypherPath, errorAt, type RecordDiagnostic } from "../../../editors/record-editor/diagnostics.ts";
import { TextField } from "../../../fields/text-field.tsx";
import type { TextPosition } from "../../../text/text-position.ts";
import { useSchema } from "../../../queries/use-schema.ts";
import { invalidFields, type PolicyForm, type PolicyKind, versionsOf } from "../draft/policy-form.ts";

interface RuleFieldsProps {
  readonly projectId: string;
  readonly form: PolicyForm;
  readonly onChange: (form: PolicyForm) => void;
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly goTo: TextPosition | undefined;
  readonly isReadOnly: boolean;
}

/** The rule of a policy as a form. */
export const RuleFields = (props: RuleFieldsProps) => {
  const { form, onChange, diagnostics, isReadOnly } = props;
  const isDecision = form.kind === "decisions";
  return (
    <div className="stack">
      <KindFields form={form} onChange={onChange} isReadOnly={isReadOnly} />
      <SentenceFields {...props} />
      <ConditionField {...props} />
      <FilterField
        label={isDecision ? "and the request says" : "filtered by"}
        hint={
          isDecision
            ? "No comparison: every request that matches the pattern is granted."
            : "No comparison: every matching row is included."
        }
        value={form.filter}
        error={invalidFields(form).filter ?? errorAt(diagnostics, "policy.condition.filter")}
        isReadOnly={isReadOnly}
        onChange={(filter) => onChange({ ...form, filter })}
      />
      {!isDecision && <QueryFields {...props} />}
    </div>
  );
};

/** Who may do what: types of the graph are suggested. */
const SentenceFields = ({ projectId, form, onChange, diagnostics, isReadOnly }: RuleFieldsProps) => {
  const schema = useSchema(projectId).data;
  const types = schema ? Object.keys(schema.graph.nodes) : [];
  const { kind, subject, resource, actions } = form;
  const isDecision = kind === "decisions";
  return (
    <fieldset className="sentence" disabled={isReadOnly}>
      <legend className="visually-hidden">Who may do what</legend>
      <TextField
        label="Subject type"
        value={subject}
        suggestions={isDecision ? types : ["_Application", ...types]}
        placeholder="Person"
        error={subject === "" ? undefined : errorAt(diagnostics, "policy.subject")}
        onChange={(value) => onChange({ ...form, subject: value })}
      />
      {isDecision && (
        <ListField
          label="may"
          item="action"
          max={5}
          values={actions}
          error={actions.length === 0 ? undefined : errorAt(diagnostics, "policy.actions")}
          isReadOnly={isReadOnly}
          onChange={(values) => onChange({ ...form, actions: values })}
        />
      )}
      {isDecision && (
        <TextField
          label="Resource type"
          value={resource}
          suggestions={types}
          placeholder="Document"
          error={resource === "" ? undefined : errorAt(diagnostics, "policy.resource")}
          onChange={(value) => onChange({ ...form, resource: value })}
        />
      )}
    </fieldset>
  );
};

const ConditionField = ({ projectId, form, onChange, diagnostics, goTo, isReadOnly }: RuleFieldsProps) => {
  const schema = useSchema(projectId).data;
  const { kind, subject, resource, cypher } = form;
  const isDecision = kind === "decisions";
  const words = useMemo(
    (): CompletionWords => ({
      schema: schema ?? undefined,
      types: new Map([["subject", subject], ...(isDecision ? [["resource", resource] as const] : [])]),
    }),
    [schema, subject, resource, isDecision],
  );
  const atCypher = useMemo(() => diagnostics.filter(({ path }) => path === cypherPath), [diagnostics]);
  return (
    <div className="field">
      <span className="label">{isDecision ? "when the graph has" : "of what the graph has"}</span>
      <CodeEditor
        label="Condition in Cypher"
        language="cypher"
        value={cypher}
        onChange={(value) => onChange({ ...form, cypher: value })}
        diagnostics={atCypher}
        completions={words}
        goTo={goTo}
        isReadOnly={isReadOnly}
      />
      {!isReadOnly && (
        <p className="hint">
          <kbd>Ctrl</kbd> <kbd>Space</kbd> completes types, relationships and properties.
        </p>
      )}
    </div>
  );
};

/** What policies for queries have besides. */
const QueryFields = ({ form, onChange, diagnostics, isReadOnly }: RuleFieldsProps) => {
  const invalid = invalidFields(form);
  return (
    <>
      <FilterField
        label="for tokens that say"
        hint="No comparison: any token, or none, is accepted."
        value={form.tokenFilter}
        error={invalid.tokenFilter ?? errorAt(diagnostics, "policy.condition.token_filter")}
        isReadOnly={isReadOnly}
        onChange={(tokenFilter) => onChange({ ...form, tokenFilter })}
      />
      <JsonField
        label="What may be read and written"
        hint="An object with allowed_reads, allowed_upserts and allowed_deletes; an absent list allows nothing."
        value={form.allowed}
        error={invalid.allowed ?? errorAt(diagnostics, "policy.allowed")}
        isReadOnly={isReadOnly}
        rows={8}
        onChange={(allowed) => onChange({ ...form, allowed })}
      />
    </>
  );
};

const kindTexts: Readonly<Record<PolicyKind, string>> = {
  decisions: "Decisions: may X do Y with Z",
  queries: "Queries: what may be read and written",
};

const KindFields = ({
  form,
  onChange,
  isReadOnly,
}: Pick<RuleFieldsProps, "form" | "onChange" | "isReadOnly">) => {
  const { kind, version } = form;
  const versions = versionsOf[kind];
  const setKind = (next: PolicyKind): void =>
    onChange({ ...form, kind: next, version: versionsOf[next][0] ?? version });
  return (
    <fieldset className="kind-fields" disabled={isReadOnly}>
      <legend className="visually-hidden">Kind of policy</legend>
      <label className="field">
        <span className="label">For</span>
        <select
          value={kind}
          onChange={(event) => setKind(event.target.value === "queries" ? "queries" : "decisions")}
        >
          <option value="decisions">{kindTexts.decisions}</option>
          <option value="queries">{kindTexts.queries}</option>
        </select>
      </label>
      <label className="field">
        <span className="label">Language</span>
        <select value={version} onChange={(event) => onChange({ ...form, version: event.target.value })}>
          {!versions.includes(version) && <option>{version}</option>}
          {versions.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </fieldset>
  );
};

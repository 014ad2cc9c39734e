import { useMemo } from "react";
import { FilterField } from "../../../parts/filter/filter-field.tsx";
import { errorAt, type RecordDiagnostic } from "../../../parts/record-editor/diagnostics.ts";
import { useSchema } from "../../../parts/use-schema.ts";
import type { Allowed } from "../allowed/allowed.ts";
import { allowedPaths } from "../allowed/allowed-paths.ts";
import { allowedUpserts } from "../allowed/allowed-upserts.ts";
import { invalidFields, type PathList, type QueryForm, type UpsertList } from "../draft/query-form.ts";
import { PathField } from "./path-field.tsx";
import { UpsertField } from "./upsert-field.tsx";

interface QueryFieldsProps {
  readonly projectId: string;
  readonly form: QueryForm;
  /** What the policy allows; undefined while none is chosen. */
  readonly allowed: Allowed | undefined;
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly isReadOnly: boolean;
  readonly onChange: (form: QueryForm) => void;
}

const pathTexts: Readonly<Record<PathList, readonly [label: string, each: string]>> = {
  nodes: ["Node values returned", "path of a node"],
  relationships: ["Relationship values returned", "path of a relationship"],
  aggregate_values: ["Aggregate values returned", "aggregate value"],
  delete_nodes: ["Node paths deleted", "path of a node to delete"],
  delete_relationships: ["Relationship paths deleted", "path of a relationship to delete"],
};

const upsertTexts: Readonly<Record<UpsertList, string>> = {
  upsert_nodes: "Nodes written",
  upsert_relationships: "Relationships written",
};

/** A query as a form: each list with what the policy allows in it. */
export const QueryFields = ({
  projectId,
  form,
  allowed,
  diagnostics,
  isReadOnly,
  onChange,
}: QueryFieldsProps) => {
  const schema = useSchema(projectId).data ?? undefined;
  const { upsert_nodes: nodes, upsert_relationships: relationships } = form;
  const suggestions = useMemo(() => {
    const written = { upsert_nodes: nodes, upsert_relationships: relationships };
    return (
      allowed && { paths: allowedPaths(allowed, schema, written), upserts: allowedUpserts(allowed, written) }
    );
  }, [allowed, schema, nodes, relationships]);
  const errors = invalidFields(form);
  const pathField = (list: PathList) => (
    <PathField
      label={pathTexts[list][0]}
      item={pathTexts[list][1]}
      path={`query.${list}`}
      values={form[list]}
      allowed={suggestions?.paths[list]}
      diagnostics={diagnostics}
      isReadOnly={isReadOnly}
      onChange={(values) => onChange({ ...form, [list]: values })}
    />
  );
  const upsertField = (list: UpsertList) => (
    <UpsertField
      label={upsertTexts[list]}
      value={form[list]}
      allowed={suggestions?.upserts[list]}
      error={errors[list] ?? errorAt(diagnostics, `query.${list}`)}
      isReadOnly={isReadOnly}
      onChange={(value) => onChange({ ...form, [list]: value })}
    />
  );
  const isWriting = [nodes, relationships].some((each) => each !== "") || form.delete_nodes.length > 0;
  return (
    <div className="stack">
      {pathField("nodes")}
      {pathField("relationships")}
      {pathField("aggregate_values")}
      <FilterField
        label="Only rows where"
        hint="No comparison: every row that the policy allows is returned."
        value={form.filter}
        error={errors.filter ?? errorAt(diagnostics, "query.filter")}
        isReadOnly={isReadOnly}
        onChange={(filter) => onChange({ ...form, filter })}
      />
      <details className="options" open={isWriting || form.delete_relationships.length > 0 || undefined}>
        <summary>Writes and deletes</summary>
        <div className="stack">
          {upsertField("upsert_nodes")}
          {upsertField("upsert_relationships")}
          {pathField("delete_nodes")}
          {pathField("delete_relationships")}
        </div>
      </details>
      <label className="check">
        <input
          type="checkbox"
          checked={form.batch_read}
          disabled={isReadOnly}
          onChange={(event) => onChange({ ...form, batch_read: event.target.checked })}
        />
        <span>
          May take longer<small>Raises the time limit of an execution (batch_read).</small>
        </span>
      </label>
    </div>
  );
};

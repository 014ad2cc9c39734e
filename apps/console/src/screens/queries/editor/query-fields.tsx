import { FilterField } from "../../../fields/filter/filter-field.tsx";
import { OptionalFields } from "../../../fields/optional-fields.tsx";
import { errorAt } from "../../../editors/record-editor/diagnostics.ts";
import type { Allowed } from "../allowed/allowed.ts";
import { invalidFields } from "../draft/query-form.ts";
import { PathField } from "./path-field.tsx";
import type { QueryFieldProps } from "./query-field-props.ts";
import { UpsertField } from "./upsert-field.tsx";
import { useAllowedEntries } from "./use-allowed-entries.ts";

interface QueryFieldsProps extends QueryFieldProps {
  readonly projectId: string;
  /** What the policy allows; undefined while none is chosen. */
  readonly allowed: Allowed | undefined;
}

/** A query as a form: each list with what the policy allows in it. */
export const QueryFields = ({ projectId, allowed, ...field }: QueryFieldsProps) => {
  const { form, diagnostics, isReadOnly, onChange } = field;
  const { paths, upserts } = useAllowedEntries(projectId, allowed, form);
  const isWriting = [form.upsert_nodes, form.upsert_relationships].some((each) => each !== "");
  const isDeleting = form.delete_nodes.length > 0 || form.delete_relationships.length > 0;
  return (
    <div className="stack">
      <PathField {...field} list="nodes" allowed={paths} />
      <PathField {...field} list="relationships" allowed={paths} />
      <PathField {...field} list="aggregate_values" allowed={paths} />
      <FilterField
        label="Only rows where"
        hint="No comparison: every row that the policy allows is returned."
        value={form.filter}
        error={invalidFields(form).filter ?? errorAt(diagnostics, "query.filter")}
        isReadOnly={isReadOnly}
        onChange={(filter) => onChange({ ...form, filter })}
      />
      <OptionalFields summary="Writes and deletes" isUsed={isWriting || isDeleting}>
        <div className="stack">
          <UpsertField {...field} list="upsert_nodes" allowed={upserts} />
          <UpsertField {...field} list="upsert_relationships" allowed={upserts} />
          <PathField {...field} list="delete_nodes" allowed={paths} />
          <PathField {...field} list="delete_relationships" allowed={paths} />
        </div>
      </OptionalFields>
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

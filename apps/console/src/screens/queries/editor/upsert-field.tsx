import { jsonError } from "../../../text/json.ts";
import { JsonField } from "../../../fields/json-field.tsx";
import { errorAt } from "../../../editors/record-editor/diagnostics.ts";
import { type OfferedUpserts, withEntry } from "../allowed/allowed-upserts.ts";
import type { UpsertList } from "../draft/query-form.ts";
import { AllowedEntries, NotAllowed } from "./allowed-entries.tsx";
import type { QueryFieldProps } from "./query-field-props.ts";

interface UpsertFieldProps extends QueryFieldProps {
  readonly list: UpsertList;
  /** What the policy allows; undefined while none is chosen. */
  readonly allowed: OfferedUpserts | undefined;
}

const labels: Readonly<Record<UpsertList, string>> = {
  upsert_nodes: "Nodes written",
  upsert_relationships: "Relationships written",
};

/** What a query writes, as JSON; entries that its policy allows begin with a click. */
export const UpsertField = (props: UpsertFieldProps) => {
  const { list, form, allowed, diagnostics, isReadOnly, onChange } = props;
  const label = labels[list];
  const value = form[list];
  const entries = allowed?.[list];
  if (value === "" && entries?.length === 0) return <NotAllowed label={label} />;
  const change = (next: string): void => onChange({ ...form, [list]: next });
  const add = (text: string): void => {
    const entry = entries?.find((each) => each.label === text)?.entry;
    const next = entry && withEntry(value, entry);
    if (next !== undefined) change(next);
  };
  return (
    <div className="path-field">
      <JsonField
        label={label}
        value={value}
        error={jsonError(value) ?? errorAt(diagnostics, `query.${list}`)}
        isReadOnly={isReadOnly}
        rows={value === "" ? 1 : Math.min(14, value.split("\n").length + 1)}
        placeholder="none"
        onChange={change}
      />
      {!isReadOnly && (
        <AllowedEntries
          label={label}
          texts={entries?.map((each) => each.label) ?? []}
          isDisabled={withEntry(value, {}) === undefined}
          onAdd={add}
        />
      )}
    </div>
  );
};

import { ListField } from "../../../fields/list-field.tsx";
import { errorAt } from "../../../editors/record-editor/diagnostics.ts";
import type { AllowedPaths } from "../allowed/allowed-paths.ts";
import type { PathList } from "../draft/query-form.ts";
import { AllowedEntries, NotAllowed } from "./allowed-entries.tsx";
import type { QueryFieldProps } from "./query-field-props.ts";

interface PathFieldProps extends QueryFieldProps {
  readonly list: PathList;
  /** What the policy allows; undefined while none is chosen. */
  readonly allowed: AllowedPaths | undefined;
}

const maxPaths = 1_000;

const texts: Readonly<Record<PathList, { readonly label: string; readonly item: string }>> = {
  nodes: { label: "Node values returned", item: "path of a node" },
  relationships: { label: "Relationship values returned", item: "path of a relationship" },
  aggregate_values: { label: "Aggregate values returned", item: "aggregate value" },
  delete_nodes: { label: "Node paths deleted", item: "path of a node to delete" },
  delete_relationships: { label: "Relationship paths deleted", item: "path of a relationship to delete" },
};

/** Paths of a query, with those that its policy allows beside them. */
export const PathField = ({ list, form, allowed, diagnostics, isReadOnly, onChange }: PathFieldProps) => {
  const { label, item } = texts[list];
  const path = `query.${list}`;
  const values = form[list];
  const free = allowed?.[list].filter((text) => !values.includes(text)) ?? [];
  const change = (next: readonly string[]): void => onChange({ ...form, [list]: next });
  if (values.length === 0 && allowed?.[list].length === 0) return <NotAllowed label={label} />;
  return (
    <div className="path-field">
      <ListField
        label={label}
        item={item}
        max={maxPaths}
        values={values}
        suggestions={free}
        isInvalid={(index) => diagnostics.some((one) => one.path === `${path}[${index}]`)}
        error={errorAt(diagnostics, path)}
        isReadOnly={isReadOnly}
        onChange={change}
      />
      {!isReadOnly && (
        <AllowedEntries label={label} texts={free} onAdd={(text) => change([...values, text])} />
      )}
    </div>
  );
};

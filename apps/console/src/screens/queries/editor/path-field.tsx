import { ListField } from "../../../parts/list-field.tsx";
import { errorAt, type RecordDiagnostic } from "../../../parts/record-editor/diagnostics.ts";
import { AllowedEntries, NotAllowed } from "./allowed-entries.tsx";

interface PathFieldProps {
  readonly label: string;
  /** As "path of a node". */
  readonly item: string;
  /** Of the list in the record, as `query.nodes`. */
  readonly path: string;
  readonly values: readonly string[];
  /** What the policy allows here; undefined while none is chosen. */
  readonly allowed: readonly string[] | undefined;
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly isReadOnly: boolean;
  readonly onChange: (values: readonly string[]) => void;
}

const maxPaths = 1_000;

/** Paths of a query, with those that its policy allows beside them. */
export const PathField = (props: PathFieldProps) => {
  const { label, item, path, values, allowed, diagnostics, isReadOnly, onChange } = props;
  const free = allowed?.filter((text) => !values.includes(text)) ?? [];
  if (values.length === 0 && allowed?.length === 0) return <NotAllowed label={label} />;
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
        onChange={onChange}
      />
      {!isReadOnly && (
        <AllowedEntries label={label} texts={free} onAdd={(text) => onChange([...values, text])} />
      )}
    </div>
  );
};

import { ListField } from "../../../parts/list-field.tsx";
import { type RecordDiagnostic, wrongAt } from "../../../parts/record-editor/diagnostics.ts";
import { NotAllowed, Offered } from "./offered.tsx";

interface PathFieldProps {
  readonly label: string;
  /** As "path of a node". */
  readonly each: string;
  /** Of the list in the record, as `query.nodes`. */
  readonly path: string;
  readonly values: readonly string[];
  /** What the policy allows here; undefined while none is chosen. */
  readonly offered: readonly string[] | undefined;
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly isReadOnly: boolean;
  readonly onChange: (values: readonly string[]) => void;
}

const most = 1_000;

/** Paths of a query, with those that its policy allows beside them. */
export const PathField = (props: PathFieldProps) => {
  const { label, each, path, values, offered, diagnostics, isReadOnly, onChange } = props;
  const free = offered?.filter((text) => !values.includes(text)) ?? [];
  if (values.length === 0 && offered?.length === 0) return <NotAllowed label={label} />;
  return (
    <div className="path-field">
      <ListField
        label={label}
        each={each}
        most={most}
        values={values}
        suggestions={free}
        isWrong={(index) => diagnostics.some((one) => one.path === `${path}[${index}]`)}
        wrong={wrongAt(diagnostics, path)}
        isReadOnly={isReadOnly}
        onChange={onChange}
      />
      {!isReadOnly && <Offered label={label} texts={free} onAdd={(text) => onChange([...values, text])} />}
    </div>
  );
};

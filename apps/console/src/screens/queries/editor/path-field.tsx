import { ListField } from "../../../parts/list-field.tsx";
import { displayText, PlainText } from "../../../parts/plain-text.tsx";
import { type RecordDiagnostic, wrongAt } from "../../../parts/record-editor/diagnostics.ts";

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
/** More are suggested as one types. */
const shown = 16;

/** Paths of a query, with those that its policy allows beside them. */
export const PathField = (props: PathFieldProps) => {
  const { label, each, path, values, offered, diagnostics, isReadOnly, onChange } = props;
  const free = offered?.filter((text) => !values.includes(text)) ?? [];
  // Nothing is allowed and nothing is asked: the list is not worth its place.
  if (values.length === 0 && offered?.length === 0)
    return (
      <p className="hint not-allowed">
        <strong>{label}</strong>: the policy allows none.
      </p>
    );
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
      {!isReadOnly && free.length > 0 && (
        <div className="row offered" role="group" aria-label={`${label}: allowed by the policy`}>
          <span className="hint">Allowed:</span>
          {free.slice(0, shown).map((text) => (
            <button
              key={text}
              type="button"
              className="button small chip mono"
              aria-label={`Add ${displayText(text, 120)}`}
              onClick={() => onChange([...values, text])}
            >
              + <PlainText text={text} limit={60} />
            </button>
          ))}
          {free.length > shown && <span className="hint">and {free.length - shown} more as you type</span>}
        </div>
      )}
    </div>
  );
};

import { JsonField } from "../../../parts/json-field.tsx";
import { displayText, PlainText } from "../../../parts/plain-text.tsx";
import { type OfferedUpsert, withEntry } from "../allowed/offered-upserts.ts";

interface UpsertFieldProps {
  readonly label: string;
  /** JSON; empty for none. */
  readonly value: string;
  /** What the policy allows here; undefined while none is chosen. */
  readonly offered: readonly OfferedUpsert[] | undefined;
  readonly wrong: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
}

/** What a query writes, as JSON; entries that its policy allows begin with a click. */
export const UpsertField = ({ label, value, offered, wrong, isReadOnly, onChange }: UpsertFieldProps) => {
  if (value === "" && offered?.length === 0)
    return (
      <p className="hint not-allowed">
        <strong>{label}</strong>: the policy allows none.
      </p>
    );
  return (
    <div className="path-field">
      <JsonField
        label={label}
        value={value}
        wrong={wrong}
        isReadOnly={isReadOnly}
        rows={value === "" ? 1 : Math.min(14, value.split("\n").length + 1)}
        placeholder="none"
        onChange={onChange}
      />
      {!isReadOnly && offered !== undefined && offered.length > 0 && (
        <div className="row offered" role="group" aria-label={`${label}: allowed by the policy`}>
          <span className="hint">Allowed:</span>
          {offered.map(({ label: text, entry }) => {
            const next = withEntry(value, entry);
            return (
              <button
                key={text}
                type="button"
                className="button small chip mono"
                aria-label={`Add ${displayText(text, 120)}`}
                disabled={next === undefined}
                onClick={() => next !== undefined && onChange(next)}
              >
                + <PlainText text={text} limit={60} />
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
};

import { JsonField } from "../../../parts/json-field.tsx";
import { type OfferedUpsert, withEntry } from "../allowed/offered-upserts.ts";
import { NotAllowed, Offered } from "./offered.tsx";

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
  if (value === "" && offered?.length === 0) return <NotAllowed label={label} />;
  const add = (text: string): void => {
    const entry = offered?.find((each) => each.label === text)?.entry;
    const next = entry && withEntry(value, entry);
    if (next !== undefined) onChange(next);
  };
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
      {!isReadOnly && (
        <Offered
          label={label}
          texts={offered?.map((each) => each.label) ?? []}
          isDisabled={withEntry(value, {}) === undefined}
          onAdd={add}
        />
      )}
    </div>
  );
};

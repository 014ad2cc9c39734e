import { JsonField } from "../../../parts/json-field.tsx";
import { type AllowedUpsert, withEntry } from "../allowed/allowed-upserts.ts";
import { AllowedEntries, NotAllowed } from "./allowed-entries.tsx";

interface UpsertFieldProps {
  readonly label: string;
  /** JSON; empty for none. */
  readonly value: string;
  /** What the policy allows here; undefined while none is chosen. */
  readonly allowed: readonly AllowedUpsert[] | undefined;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
}

/** What a query writes, as JSON; entries that its policy allows begin with a click. */
export const UpsertField = ({ label, value, allowed, error, isReadOnly, onChange }: UpsertFieldProps) => {
  if (value === "" && allowed?.length === 0) return <NotAllowed label={label} />;
  const add = (text: string): void => {
    const entry = allowed?.find((each) => each.label === text)?.entry;
    const next = entry && withEntry(value, entry);
    if (next !== undefined) onChange(next);
  };
  return (
    <div className="path-field">
      <JsonField
        label={label}
        value={value}
        error={error}
        isReadOnly={isReadOnly}
        rows={value === "" ? 1 : Math.min(14, value.split("\n").length + 1)}
        placeholder="none"
        onChange={onChange}
      />
      {!isReadOnly && (
        <AllowedEntries
          label={label}
          texts={allowed?.map((each) => each.label) ?? []}
          isDisabled={withEntry(value, {}) === undefined}
          onAdd={add}
        />
      )}
    </div>
  );
};

import { useId, useState } from "react";
import { Icon } from "../../components/icon.tsx";
import { JsonField } from "../json-field.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import { displayText } from "../../text/display-text.ts";
import {
  type FilterRow,
  type FilterRows,
  operators,
  printRows,
  shownRows,
  takesArrayOnly,
  takesValue,
} from "./filter-rows.ts";

interface FilterFieldProps {
  readonly label: string;
  readonly hint: string;
  /** JSON; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
}

const emptyRow: FilterRow = { attribute: "", operator: "=", value: "", rest: {} };

/** A filter: comparisons in rows, or JSON for a filter that is no list of comparisons. */
export const FilterField = ({ label, hint, value, onChange, error, isReadOnly }: FilterFieldProps) => {
  const [isJson, setJson] = useState(false);
  const [edited, setEdited] = useState<FilterRows>();
  const id = useId();
  const filter = shownRows(edited, value);
  const isShownAsJson = isJson || filter === undefined;
  return (
    <section className="filter-field" aria-labelledby={id}>
      <div className="row">
        <h3 id={id}>{label}</h3>
        <button
          type="button"
          className="button quiet small"
          disabled={filter === undefined}
          title={filter === undefined ? "This filter is too complex to show as rows" : undefined}
          onClick={() => setJson(!isJson)}
        >
          {isShownAsJson ? "As rows" : "As JSON"}
        </button>
      </div>
      {isShownAsJson ? (
        <JsonField
          label={`${label} as JSON`}
          value={value}
          onChange={(text) => {
            // It stays JSON, also where it becomes a text on the way that rows could show.
            setJson(true);
            onChange(text);
          }}
          error={error}
          isReadOnly={isReadOnly}
          rows={Math.min(14, value.split("\n").length + 1)}
        />
      ) : (
        <Rows
          label={label}
          filter={filter}
          isReadOnly={isReadOnly}
          error={error}
          hint={hint}
          onChange={(next) => {
            setEdited(next);
            onChange(printRows(next));
          }}
        />
      )}
    </section>
  );
};

interface RowsProps {
  readonly label: string;
  readonly hint: string;
  readonly filter: FilterRows;
  readonly onChange: (filter: FilterRows) => void;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
}

const Rows = ({ label, hint, filter: { needs, rows }, onChange, error, isReadOnly }: RowsProps) => (
  <div className="stack tight">
    {rows.length === 0 && <p className="hint">{hint}</p>}
    {rows.length > 1 && (
      <select
        className="needs"
        aria-label={`${label}: how many must hold`}
        value={needs}
        disabled={isReadOnly}
        onChange={(event) => onChange({ needs: event.target.value === "any" ? "any" : "all", rows })}
      >
        <option value="all">All of these must hold</option>
        <option value="any">One of these must hold</option>
      </select>
    )}
    {rows.map((row, index) => (
      <Row
        // A row is its place: two may say the same.
        key={index}
        name={`${label} ${index + 1}`}
        row={row}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ needs, rows: rows.with(index, next) })}
        onRemove={() => onChange({ needs, rows: rows.toSpliced(index, 1) })}
      />
    ))}
    {error !== undefined && (
      <p className="wrong" role="status">
        {error}
      </p>
    )}
    {!isReadOnly && (
      <button
        type="button"
        className="button small start"
        onClick={() => onChange({ needs, rows: [...rows, emptyRow] })}
      >
        <Icon name="plus" />
        Add a comparison
      </button>
    )}
  </div>
);

interface RowProps {
  readonly name: string;
  readonly row: FilterRow;
  readonly onChange: (row: FilterRow) => void;
  readonly onRemove: () => void;
  readonly isReadOnly: boolean;
}

const Row = ({ name, row, onChange, onRemove, isReadOnly }: RowProps) => (
  <div className="filter-row" role="group" aria-label={name}>
    <input
      className="mono"
      aria-label="Attribute"
      placeholder="$token.level"
      spellCheck={false}
      value={row.attribute}
      readOnly={isReadOnly}
      onChange={(event) => onChange({ ...row, attribute: event.target.value })}
    />
    <select
      aria-label="Operator"
      value={row.operator}
      disabled={isReadOnly}
      onChange={(event) => {
        const operator = operators.find((each) => each === event.target.value);
        if (operator !== undefined) onChange({ ...row, operator });
      }}
    >
      {operators.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
    {takesValue(row.operator) ? (
      <input
        className="mono"
        aria-label="Value"
        placeholder={takesArrayOnly(row.operator) ? '["a", "b"]' : "value"}
        spellCheck={false}
        value={row.value}
        readOnly={isReadOnly}
        onChange={(event) => onChange({ ...row, value: event.target.value })}
      />
    ) : (
      <span className="hint no-value">needs no value</span>
    )}
    {!isReadOnly && (
      <button type="button" className="button quiet small" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="remove" />
      </button>
    )}
    {hasHidden(row.value) && (
      <small className="hidden-characters">
        The value contains invisible characters: <PlainText text={row.value} limit={200} />
      </small>
    )}
  </div>
);

/** A field shows a text as it is; what turns its direction, or is not seen, is shown below. */
const hasHidden = (text: string): boolean => text !== "" && displayText(text, text.length) !== text;

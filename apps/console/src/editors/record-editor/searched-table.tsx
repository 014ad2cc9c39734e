import { useId, useState } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Empty } from "../../components/empty.tsx";
import { hasWords } from "../../text/has-words.ts";

interface SearchedTableProps<Row extends object> {
  /** What the table lists, as "Policies". */
  readonly label: string;
  readonly singular: string;
  readonly plural: string;
  readonly placeholder: string;
  /** What is searched, as a sentence. */
  readonly hint: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The text of a row, in which each word is looked for. */
  readonly textOf: (row: Row) => string;
}

/** A table of records with a field that finds some of them. */
export const SearchedTable = <Row extends object>(props: SearchedTableProps<Row>) => {
  const { label, singular, plural, placeholder, hint, columns, rows, keyOf, textOf } = props;
  const [search, setSearch] = useState("");
  const id = useId();
  const shown = rows.filter((row) => hasWords(textOf(row), search));
  return (
    <div className="stack">
      <div className="row list-bar">
        <label htmlFor={id} className="visually-hidden">
          Find a {singular}
        </label>
        <input
          id={id}
          type="search"
          placeholder={placeholder}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="hint" role="status">
          {search !== "" && `${shown.length} of `}
          {rows.length === 1 ? `1 ${singular}` : `${rows.length} ${plural}`}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty title={`No ${singular} matches`}>
          <p>{hint}</p>
        </Empty>
      ) : (
        <DataTable label={label} columns={columns} rows={shown} keyOf={keyOf} />
      )}
    </div>
  );
};

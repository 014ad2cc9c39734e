import type { ResultRow } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { resolverReasonTexts } from "../../../text/resolver-reasons.ts";
import { readMore, type RowPages, type RowsSoFar } from "./execute.ts";
import { pathsOf, type RowPath, valueOf, valueText } from "./row-values.ts";

interface RowsTableProps {
  readonly found: RowsSoFar;
  /** Gets the rows that a page was appended to, and those with it. */
  readonly onMore: (before: RowsSoFar, found: RowsSoFar) => void;
}

interface NumberedRow {
  readonly row: ResultRow;
  readonly number: number;
}

const Value = ({ value }: { readonly value: unknown }) => {
  const text = valueText(value);
  if (text === undefined) return <span className="hint">none</span>;
  return <PlainText text={text} limit={200} mono={typeof value === "object"} />;
};

const sortValue = (value: unknown): string | number =>
  typeof value === "number" ? value : (valueText(value) ?? "");

const columnOf = (path: RowPath): Column<NumberedRow> => ({
  id: `${path.group} ${path.path}`,
  header: path.path,
  cell: ({ row }) => <Value value={valueOf(row, path)} />,
  sortBy: ({ row }) => sortValue(valueOf(row, path)),
});

const numberColumn: Column<NumberedRow> = {
  id: "number",
  header: "Row",
  look: "number",
  cell: ({ number }) => number,
  sortBy: ({ number }) => number,
};

/** The rows of a query, page by page. */
export const RowsTable = ({ found, onMore }: RowsTableProps) => {
  const { rows, errors, next } = found;
  const more = useMutation({
    mutationFn: (pages: RowPages) => readMore(pages, found),
    onSuccess: (withNext) => onMore(found, withNext),
  });
  const columns = useMemo(() => [numberColumn, ...pathsOf(rows).map(columnOf)], [rows]);
  const numbered = useMemo(() => rows.map((row, index): NumberedRow => ({ row, number: index + 1 })), [rows]);
  if (rows.length === 0)
    return (
      <Empty title="No row">
        <p>The query ran and returned nothing. The counts below show what filtered the rows out.</p>
      </Empty>
    );
  return (
    <div className="stack tight">
      <p role="status">
        <strong>{rows.length.toLocaleString()}</strong> {rows.length === 1 ? "row" : "rows"}
        {next === undefined ? "" : " so far"}
      </p>
      <DataTable label="Rows" columns={columns} rows={numbered} keyOf={({ number }) => String(number)} />
      {errors.length > 0 && <MissingValues errors={errors} />}
      {more.isError && <ErrorNote error={more.error} title="Could not load the next page" />}
      {next !== undefined && (
        <button
          type="button"
          className="button start"
          disabled={more.isPending}
          onClick={() => more.mutate(next)}
        >
          {more.isPending ? "Loading…" : "Load the next page"}
        </button>
      )}
    </div>
  );
};

const shown = 5;

const MissingValues = ({ errors }: { readonly errors: RowsSoFar["errors"] }) => (
  <Note tone="warn">
    <p>
      {errors.length === 1 ? "A value is" : `${errors.length.toLocaleString()} values are`} missing because a
      resolver returned no value:
    </p>
    <ul>
      {errors.slice(0, shown).map(({ row, path, resolver, reason }) => (
        <li key={`${row} ${path}`}>
          row {row + 1}, <PlainText text={path} limit={80} mono /> by <PlainText text={resolver} limit={60} />
          : {resolverReasonTexts[reason]}
        </li>
      ))}
    </ul>
    {errors.length > shown && <p className="hint">and {(errors.length - shown).toLocaleString()} more</p>}
  </Note>
);

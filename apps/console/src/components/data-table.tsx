import {
  type ColumnDef,
  createSortedRowModel,
  type Header,
  type Row as TableRow,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, useMemo, useRef } from "react";
import { compareValues } from "./compare-values.ts";

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Makes the column sortable. */
  readonly sortBy?: (row: Row) => string | number;
  /** Numbers stand at the right; a wide column takes the rest of the width. */
  readonly look?: "number" | "wide";
}

interface DataTableProps<Row extends object> {
  /** What the table lists, for those who do not see it. */
  readonly label: string;
  /** Stable: made outside of the component, or memoized. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

const rowHeight = 41;

const columnDefOf = <Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> => ({
  id: column.id,
  header: column.header,
  accessorFn: (row: Row): unknown => column.sortBy?.(row),
  enableSorting: column.sortBy !== undefined,
  // Those of the library compare numbers digit by digit, and find 0.25 larger than 0.3.
  sortFn: (one: TableRow<typeof features, Row>, other: TableRow<typeof features, Row>, id: string) =>
    compareValues(one.getValue(id), other.getValue(id)),
});

const ariaSort = (sorted: false | "asc" | "desc"): "ascending" | "descending" | "none" => {
  if (sorted === false) return "none";
  return sorted === "asc" ? "ascending" : "descending";
};

/** A table of any length that sorts by its headers; only rows in sight are in the document. */
export const DataTable = <Row extends object>({ label, columns, rows, keyOf }: DataTableProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => columns.map(columnDefOf), [columns]);
  const table = useTable({ features, columns: definitions, data: rows, getRowId: keyOf });
  const sorted = table.getRowModel().rows;
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const byId = new Map(columns.map((column) => [column.id, column]));
  return (
    // A region that scrolls can be reached by keyboard.
    <div className="table-scroll stacks" ref={scroller} role="region" aria-label={label} tabIndex={0}>
      <table aria-rowcount={sorted.length + 1}>
        <thead>
          <tr>
            {table.getFlatHeaders().map((header) => (
              <HeaderCell key={header.id} header={header} column={byId.get(header.id)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {items.map(({ index }) => {
            const row = sorted[index];
            if (row === undefined) return null;
            return (
              <BodyRow
                key={row.id}
                row={row}
                index={index}
                columns={columns}
                ref={virtualizer.measureElement}
              />
            );
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
    </div>
  );
};

interface HeaderCellProps<Row extends object> {
  readonly header: Header<typeof features, Row>;
  readonly column: Column<Row> | undefined;
}

const HeaderCell = <Row extends object>({ header, column }: HeaderCellProps<Row>) => {
  const direction = header.column.getIsSorted();
  const canSort = header.column.getCanSort();
  return (
    <th scope="col" className={column?.look} aria-sort={canSort ? ariaSort(direction) : undefined}>
      {canSort ? (
        <button type="button" onClick={header.column.getToggleSortingHandler()}>
          {column?.header}
          <span aria-hidden="true">{direction === false ? "" : direction === "asc" ? " ↑" : " ↓"}</span>
        </button>
      ) : (
        column?.header
      )}
    </th>
  );
};

interface BodyRowProps<Row extends object> {
  readonly row: TableRow<typeof features, Row>;
  /** Among all rows, as they are sorted. */
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  /** Measures its height. */
  readonly ref: Ref<HTMLTableRowElement>;
}

const BodyRow = <Row extends object>({ row, index, columns, ref }: BodyRowProps<Row>) => (
  <tr data-index={index} ref={ref} aria-rowindex={index + 2}>
    {columns.map((column) => (
      <td key={column.id} className={column.look} data-column={column.header}>
        {/* One child: a narrow screen puts it beside the name of its column. */}
        <div>{column.cell(row.original)}</div>
      </td>
    ))}
  </tr>
);

/** Stands for the rows out of sight. */
const Spacer = ({ height }: { readonly height: number }) => (
  <tr aria-hidden="true">
    <td className="spacer" data-column="" style={{ height }} />
  </tr>
);

import { Problem } from "@ikg/contracts";
import type { Column } from "@ikg/policy-core/statements";
import { type ProjectedRow, resultRow, type ShownProject } from "@ikg/query-rows";

/** One page of an answer. */
export interface Page {
  /** Rows that it shows. */
  readonly count: number;
  /** Members of `data` as JSON: one for each row, or all of them in one with commas between when none is in `external`. */
  readonly pieces: readonly string[];
  /** Rows with external values, by their index; the pieces have null there. */
  readonly external: readonly (readonly [index: number, row: ProjectedRow])[];
  /** Bytes of its rows as JSON. */
  readonly bytes: number;
  /** Offset of the first row that it leaves out because it would grow too large. */
  readonly next: number | undefined;
}

export interface PageLimits {
  /** Bytes of the rows as JSON, at most. */
  readonly bytes: number;
  /** Offset of the first row. */
  readonly skip: number;
  /**
   * How many rows a page has while there are more, where the caller counts pages: one that ends early is refused, because
   * the caller would take it for the last one, or go on behind rows that it never saw.
   */
  readonly wholeOf?: number | undefined;
}

/** A single row that no page can hold. */
const rowTooLarge = (offset: number, bytes: number): Problem =>
  new Problem("unprocessable", {
    errors: [`page_token: row ${offset} alone is larger than a page may be (limit page_bytes, ${bytes})`],
  });

/** A page of as many rows as every page has would be larger than it may be. */
const pageTooLarge = (rows: number, wanted: number, bytes: number): Problem =>
  new Problem("unprocessable", {
    errors: [
      `page_size: ${wanted} rows from here on are larger than a page may be (limit page_bytes, ${bytes}); ${rows} fit. ` +
        "Pages selected by number cannot be shortened; restart with a smaller page_size",
    ],
  });

/** Bytes of JSON that one byte of a database's answer becomes at most: a control character is escaped by six. */
const maxEscapeLength = 6;

const isWithExternal = ({ external }: ProjectedRow): boolean => external.length > 0;

/** Takes rows one after the other, as long as they fit. */
export interface PageBuilder {
  readonly count: number;
  /**
   * False when the row does not fit; it is left out and the page is complete.
   *
   * @throws Problem `unprocessable` (422) for a first row that does not fit.
   */
  add(row: ProjectedRow): boolean;
  /** Ends the page before a row that could not be read, because it is too large. */
  cut(): void;
  page(): Page;
}

export const openPage = ({ bytes, skip, wholeOf }: PageLimits): PageBuilder => {
  const external: [number, ProjectedRow][] = [];
  const pieces: string[] = [];
  let used = 0;
  let next: number | undefined;
  const cut = (): void => {
    if (pieces.length === 0) throw rowTooLarge(skip, bytes);
    if (wholeOf !== undefined) throw pageTooLarge(pieces.length, wholeOf, bytes);
    next = skip + pieces.length;
  };
  return {
    get count() {
      return pieces.length;
    },
    add: (row) => {
      if (next !== undefined) return false;
      const text = JSON.stringify(row.row);
      const size = Buffer.byteLength(text) + 1;
      if (used + size > bytes) {
        cut();
        return false;
      }
      used += size;
      if (isWithExternal(row)) external.push([pieces.length, row]);
      pieces.push(text);
      return true;
    },
    cut,
    page: () => ({
      count: pieces.length,
      pieces,
      external,
      bytes: used,
      next,
    }),
  };
};

/**
 * The page of all these rows.
 *
 * @param answered bytes of the database's answer that they come from; when even the longest text of them fits, they are
 *   printed at once.
 */
export const pageOfRows = (rows: readonly ProjectedRow[], limits: PageLimits, answered = Infinity): Page => {
  if (answered * maxEscapeLength <= limits.bytes && !rows.some(isWithExternal)) {
    const text = JSON.stringify(rows.map(({ row }) => row)).slice(1, -1);
    return {
      count: rows.length,
      pieces: rows.length === 0 ? [] : [text],
      external: [],
      bytes: text.length,
      next: undefined,
    };
  }
  const builder = openPage(limits);
  for (const row of rows) if (!builder.add(row)) break;
  return builder.page();
};

/** Shows the values of one row that the database answered. */
export const rowReader =
  (columns: readonly Column[], project: ShownProject) =>
  (values: readonly unknown[]): ProjectedRow =>
    resultRow(columns, values, project);

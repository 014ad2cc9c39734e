/** Bytes of a row, on average, up to which a page may come in one piece: a thousand of them are a megabyte. */
const smallRow = 1_024;
/** After a page that was too large for one piece the query's pages come row by row for so long, in milliseconds. */
const suspicionMs = 600_000;

/** What is known of the size of the rows that a statement answers. */
export interface RowSizes {
  /** True when its last page had small rows. */
  areSmall(statement: object): boolean;
  /** @param bytes what the database answered for so many rows. */
  seen(statement: object, rows: number, bytes: number): void;
  /** Its rows were taken for small and were not. */
  tooLarge(statement: object): void;
}

/** @param now milliseconds of a clock that only goes forward. */
export const rowSizes = (now: () => number = () => performance.now()): RowSizes => {
  // Statements live as long as the catalog's view of their project.
  const small = new WeakSet();
  const suspectedUntil = new WeakMap<object, number>();
  return {
    areSmall: (statement) => small.has(statement),
    seen: (statement, rows, bytes) => {
      if (rows === 0) return;
      if (bytes > rows * smallRow) small.delete(statement);
      else if ((suspectedUntil.get(statement) ?? 0) <= now()) small.add(statement);
    },
    tooLarge: (statement) => {
      small.delete(statement);
      suspectedUntil.set(statement, now() + suspicionMs);
    },
  };
};

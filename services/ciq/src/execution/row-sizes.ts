/** Average bytes of a row up to which a page is read as one list: a thousand of them are a megabyte. */
const smallRow = 1_024;
/** Milliseconds for which the pages of a query are read row by row after one that was too large for one list. */
const rowByRowMs = 600_000;

/** Tracks the size of the rows that a statement returns. */
export interface RowSizes {
  /** True when its last page had small rows. */
  areSmall(statement: object): boolean;
  /** @param bytes of the database's result for this number of rows. */
  record(statement: object, rows: number, bytes: number): void;
  /** Records that its rows were assumed to be small and were not. */
  recordTooLarge(statement: object): void;
}

/** @param now milliseconds of a clock that only goes forward. */
export const rowSizes = (now: () => number = () => performance.now()): RowSizes => {
  // Statements live as long as the catalog's view of their project.
  const small = new WeakSet();
  const rowByRowUntil = new WeakMap<object, number>();
  return {
    areSmall: (statement) => small.has(statement),
    record: (statement, rows, bytes) => {
      if (rows === 0) return;
      if (bytes > rows * smallRow) small.delete(statement);
      else if ((rowByRowUntil.get(statement) ?? 0) <= now()) small.add(statement);
    },
    recordTooLarge: (statement) => {
      small.delete(statement);
      rowByRowUntil.set(statement, now() + rowByRowMs);
    },
  };
};

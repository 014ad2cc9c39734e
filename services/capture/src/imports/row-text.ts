/** Rows of one chunk as the text of a JSON list. */
export interface RowText {
  readonly rows: number;
  /** Bytes so far. */
  readonly size: number;
  /** Adds the JSON text of a row. */
  add(row: string): void;
  bytes(): Buffer;
}

const firstCapacity = 32 * 1024;
/** No character of a string takes more in UTF-8. */
const longestCharacter = 3;

/**
 * Bytes, because hundreds of thousands of short texts that wait for each other are what a garbage collector is worst at:
 * it would carry them all into its old generation.
 */
export const openRowText = (): RowText => {
  let held = Buffer.allocUnsafeSlow(firstCapacity);
  let size = 0;
  let rows = 0;
  const makeRoom = (bytes: number): void => {
    if (size + bytes <= held.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(held.length * 2, size + bytes));
    held.copy(larger, 0, 0, size);
    held = larger;
  };
  return {
    get rows() {
      return rows;
    },
    get size() {
      return size;
    },
    add: (row) => {
      makeRoom(row.length * longestCharacter + 2);
      size += held.write(rows === 0 ? "[" : ",", size);
      size += held.write(row, size);
      rows += 1;
    },
    bytes: () => {
      makeRoom(1);
      size += held.write("]", size);
      return held.subarray(0, size);
    },
  };
};

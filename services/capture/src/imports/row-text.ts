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
/** Most bytes in UTF-8 of a UTF-16 code unit, by which strings have their length. */
const bytesPerUnit = 3;

/**
 * Gathers rows as bytes: hundreds of thousands of short strings that live for seconds would all be promoted to the old
 * generation of the garbage collector.
 */
export const openRowText = (): RowText => {
  let buffer = Buffer.allocUnsafeSlow(firstCapacity);
  let size = 0;
  let rows = 0;
  const ensureCapacity = (bytes: number): void => {
    if (size + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, size + bytes));
    buffer.copy(larger, 0, 0, size);
    buffer = larger;
  };
  return {
    get rows() {
      return rows;
    },
    get size() {
      return size;
    },
    add: (row) => {
      ensureCapacity(row.length * bytesPerUnit + 2);
      size += buffer.write(rows === 0 ? "[" : ",", size);
      size += buffer.write(row, size);
      rows += 1;
    },
    bytes: () => {
      ensureCapacity(1);
      size += buffer.write("]", size);
      return buffer.subarray(0, size);
    },
  };
};

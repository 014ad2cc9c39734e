import { importLimits } from "@ikg/contracts";

const newline = 0x0a;
const space = 0x20;
const tab = 0x09;
const carriageReturn = 0x0d;

/** Splits a text into lines as its chunks arrive. */
export interface LineSplitter {
  /** Lines so far, blank ones included. */
  readonly lines: number;
  push(piece: Buffer): void;
  /** The text is over: what follows the last newline is a line too. */
  end(): void;
}

const isBlank = (line: Buffer): boolean => {
  for (const byte of line) if (byte !== space && byte !== tab && byte !== carriageReturn) return false;
  return true;
};

/**
 * Blank lines are counted and nothing else: gigabytes of them compress to nearly nothing, and must cost as little.
 *
 * @param onLine gets every other line without its newline, counted from 1; undefined for one that is longer than the
 *   limit, of which no more than the limit is ever held. The bytes are valid until it returns.
 */
export const splitLines = (
  onLine: (line: Buffer | undefined, number: number) => void,
  limit: number = importLimits.lineBytes,
): LineSplitter => {
  let number = 0;
  /** The beginning of a line that continues in the next piece. */
  let begun: Buffer[] = [];
  let length = 0;

  const keep = (part: Buffer): void => {
    length += part.length;
    if (length > limit) begun = [];
    else if (part.length > 0) begun.push(Buffer.from(part));
  };
  const finish = (part: Buffer): void => {
    number += 1;
    const whole = length + part.length;
    const line = begun.length === 0 ? part : Buffer.concat([...begun, part]);
    begun = [];
    length = 0;
    if (whole > limit) onLine(undefined, number);
    else if (!isBlank(line)) onLine(line, number);
  };

  return {
    get lines() {
      return number;
    },
    push: (piece) => {
      let from = 0;
      for (;;) {
        if (length === 0) for (; piece[from] === newline; from++) number += 1;
        const to = piece.indexOf(newline, from);
        if (to < 0) break;
        finish(piece.subarray(from, to));
        from = to + 1;
      }
      keep(piece.subarray(from));
    },
    end: () => {
      if (length > 0) finish(Buffer.alloc(0));
    },
  };
};

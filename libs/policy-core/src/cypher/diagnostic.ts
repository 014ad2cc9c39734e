/** A place in an author's text; lines and columns count from 1, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Offsets into a text; `end` is the one after the last character. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

/** The place of an offset. */
export const positionOf = (text: string, offset: number): TextPosition => {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
};

/** One reason why a text is refused, and where; `offset` counts from 0 (UTF-16 units). */
export interface Diagnostic extends TextPosition {
  readonly message: string;
  readonly offset: number;
}

/** Places a message in the text. */
export const diagnosticAt = (text: string, offset: number, message: string): Diagnostic => ({
  message,
  ...positionOf(text, offset),
  offset,
});

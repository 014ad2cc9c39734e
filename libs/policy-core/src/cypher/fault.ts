/** One reason why a text is refused, and where. Lines and columns count from 1, `offset` from 0 (UTF-16 units). */
export interface Fault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** Places a message in the text. */
export const faultAt = (text: string, offset: number, message: string): Fault => {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { message, line, column: offset - start + 1, offset };
};

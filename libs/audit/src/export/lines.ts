const newline = 0x0a;

/**
 * The lines of a file, ended by a newline and by nothing else: whoever also took a carriage return would not see that
 * a byte was changed into one.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      rest.push(chunk.subarray(from, at));
      yield Buffer.concat(rest).toString("utf8");
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  // A last line without its end was cut off, and is not one that an export wrote.
  if (rest.length > 0) yield `${Buffer.concat(rest).toString("utf8")}\0`;
}

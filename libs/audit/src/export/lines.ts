const newline = 0x0a;

/** Stops at bytes that are no UTF-8, and takes a byte order mark as the character that it is. */
const exactUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const anyUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** A character that no export writes: with it at its end, a line fails the check of its form. */
const notExported = "\0";

const lineOf = (parts: readonly Uint8Array[]): string => {
  const bytes = joined(parts);
  try {
    return exactUtf8.decode(bytes);
  } catch {
    return `${anyUtf8.decode(bytes)}${notExported}`;
  }
};

/**
 * The lines of a file, ended by a newline and by nothing else: a reader that also took a carriage return would not see that
 * a byte was changed into one.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      rest.push(chunk.subarray(from, at));
      yield lineOf(rest);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  // A last line without its end was cut off, and is not one that an export wrote.
  if (rest.length > 0) yield `${lineOf(rest)}${notExported}`;
}

/** Characters of JSON, about, beyond which a value is written in pieces. */
export const pieceCharacters = 64 * 1024;

/** True when the JSON of a value is longer than one piece. It looks at no more of the value than one piece has. */
export const isLongJson = (value: unknown): boolean => {
  let left = pieceCharacters;
  const spend = (each: unknown): boolean => {
    if (typeof each === "string") left -= each.length + 2;
    else if (typeof each !== "object" || each === null) left -= 4;
    else if (Array.isArray(each)) return each.every(spend);
    else for (const name in each) if (!spend(name) || !spend(Reflect.get(each, name))) return false;
    return left > 0;
  };
  return !spend(value);
};

const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/**
 * The text of `JSON.stringify` in pieces of about `pieceCharacters`; a single text is never divided. The values are those of parsed JSON, or
 * made by notes: objects without `toJSON`.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || !isPlain(value) || !isLongJson(value)) {
    yield JSON.stringify(value) ?? "";
    return;
  }
  const isList = Array.isArray(value);
  let piece = isList ? "[" : "{";
  let separator = "";
  for (const [name, member] of isList ? value.entries() : Object.entries(value)) {
    const isWritten = isList || JSON.stringify(typeof member === "object" ? null : member) !== undefined;
    if (!isWritten) continue;
    piece += isList ? separator : `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    for (const part of jsonPieces(member)) {
      piece += part === "" ? "null" : part;
      if (piece.length < pieceCharacters) continue;
      yield piece;
      piece = "";
    }
  }
  yield piece + (isList ? "]" : "}");
}

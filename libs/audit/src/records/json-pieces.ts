/** Characters of JSON, about, beyond which a value is written in pieces. */
export const pieceCharacters = 64 * 1024;

/** Characters of the JSON of a value, about; it looks at little more of the value than one piece has. */
const sizeOf = (value: unknown): number => {
  let size = 0;
  const add = (each: unknown): void => {
    size += typeof each === "string" ? each.length + 2 : 4;
    if (typeof each !== "object" || each === null) return;
    for (const name in each) {
      if (size > pieceCharacters) return;
      if (!Array.isArray(each)) size += name.length + 2;
      add(Reflect.get(each, name));
    }
  };
  add(value);
  return size;
};

/** True when the JSON of a value is longer than one piece. */
export const isLongJson = (value: unknown): boolean => sizeOf(value) > pieceCharacters;

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
  let lead = isList ? "[" : "{";
  let members: [string, unknown][] = [];
  let size = 0;
  const writeMembers = (): string => {
    const group = isList ? members.map(([, member]) => member) : Object.fromEntries(members);
    const text = JSON.stringify(group).slice(1, -1);
    members = [];
    size = 0;
    if (text === "") return "";
    const piece = lead + text;
    lead = ",";
    return piece;
  };
  for (const [name, member] of Object.entries(value)) {
    const memberSize = sizeOf(member);
    if (memberSize > pieceCharacters) {
      yield writeMembers() + lead + (isList ? "" : `${JSON.stringify(name)}:`);
      yield* jsonPieces(member);
      lead = ",";
      continue;
    }
    members.push([name, member]);
    size += memberSize + name.length;
    if (size >= pieceCharacters) yield writeMembers();
  }
  const last = writeMembers();
  yield `${last === "" && lead !== "," ? lead : last}${isList ? "]" : "}"}`;
}

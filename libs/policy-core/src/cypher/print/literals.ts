const escapes = new Map([
  ["\\", "\\\\"],
  ["'", "\\'"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * A string literal. Everything without a short escape stands as it is: the database takes any character between
 * quotes, and reads the long escapes differently from version to version. The text never holds a backslash
 * before a `u`, which the database would decode before anything else (database facts, section 2.1).
 */
export const printString = (value: string): string => {
  const parts = value.split("\\u").map((part, index) => (index === 0 ? part : `u${part}`));
  if (parts.length === 1) return quoted(value);
  return `(${parts.map((part, index) => quoted(index < parts.length - 1 ? `${part}\\` : part)).join(" + ")})`;
};

const quoted = (value: string): string => {
  let text = "'";
  for (const character of value) text += escapes.get(character) ?? character;
  return `${text}'`;
};

/** A float literal: never read as an integer, no plus sign in the exponent. */
export const printFloat = (value: number): string => {
  const text = String(value).replace("e+", "e");
  return text.includes(".") || text.includes("e") ? text : `${text}.0`;
};

const plain = /^[A-Za-z_][A-Za-z0-9_]*$/;
const unicodeEscape = /\\u/i;

/**
 * A label, relationship type, property key or variable as it stands in a statement. Always in back-quotes
 * unless plainly a name: the database decides by quoting alone, so nothing in the text can end the name.
 *
 * @throws Error on a name with a Unicode escape: the database decodes it before it looks at quotes, so it could stand for a
 *   back-quote. Such names are refused long before; this is the last fence.
 */
export const quoteName = (name: string): string => {
  if (plain.test(name)) return name;
  if (unicodeEscape.test(name)) throw new Error("a name with a Unicode escape cannot be quoted");
  if (name === "") throw new Error("a name cannot be empty");
  return `\`${name.replaceAll("`", "``")}\``;
};

import { quoteName } from "@ikg/physical";

/** Keywords that may stand where a variable does: a variable of that name is printed in back-quotes. */
const keywords: ReadonlySet<string> = new Set(
  (
    "TRUE FALSE NULL INF INFINITY NAN NOT AND OR XOR IN IS AS WHERE CASE WHEN THEN ELSE END EXISTS COUNT " +
    "COLLECT REDUCE DISTINCT CONTAINS STARTS ENDS ALL ANY NONE SINGLE SHORTEST SHORTESTPATH " +
    "ALLSHORTESTPATHS MATCH OPTIONAL WITH UNWIND USE CALL RETURN FINISH UNION USING ORDER BY SKIP OFFSET " +
    "LIMIT ASC ASCENDING DESC DESCENDING CREATE INSERT MERGE SET REMOVE DELETE DETACH NODETACH FOREACH " +
    "LOAD LET FILTER FOR NEXT SEARCH ON"
  ).split(" "),
);

/** A label, type, key or parameter name as it stands in a statement. */
export const printName = (name: string): string => {
  if (name.includes("\\u") || name === "") throw new Error("this name cannot stand in a statement");
  return quoteName(name);
};

/** A variable as it stands in a statement. */
export const printVariable = (name: string): string =>
  keywords.has(name.toUpperCase()) ? `\`${name}\`` : printName(name);

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
 * before a `u`, which the database would decode before anything else.
 */
export const printString = (value: string): string => {
  const parts = value.split("\\u").map((part, index) => (index === 0 ? part : `u${part}`));
  if (parts.length === 1) return quote(value);
  return `(${parts.map((part, index) => quote(index < parts.length - 1 ? `${part}\\` : part)).join(" + ")})`;
};

const quote = (value: string): string => {
  let text = "'";
  for (const character of value) text += escapes.get(character) ?? character;
  return `${text}'`;
};

/** A float literal: never read as an integer, no plus sign in the exponent. */
export const printFloat = (value: number): string => {
  const text = String(value).replace("e+", "e");
  return text.includes(".") || text.includes("e") ? text : `${text}.0`;
};

import { quoteName } from "@ikg/physical";

/** Words that mean something where a variable may stand; in back-quotes a variable of that name is never one. */
const keywords = new Set([
  ...[
    "TRUE",
    "FALSE",
    "NULL",
    "INF",
    "INFINITY",
    "NAN",
    "NOT",
    "AND",
    "OR",
    "XOR",
    "IN",
    "IS",
    "AS",
    "WHERE",
  ],
  ...["CASE", "WHEN", "THEN", "ELSE", "END", "EXISTS", "COUNT", "COLLECT", "REDUCE", "DISTINCT", "CONTAINS"],
  ...["STARTS", "ENDS", "ALL", "ANY", "NONE", "SINGLE", "SHORTEST", "SHORTESTPATH", "ALLSHORTESTPATHS"],
  ...[
    "MATCH",
    "OPTIONAL",
    "WITH",
    "UNWIND",
    "USE",
    "CALL",
    "RETURN",
    "FINISH",
    "UNION",
    "USING",
    "ORDER",
    "BY",
  ],
  ...[
    "SKIP",
    "OFFSET",
    "LIMIT",
    "ASC",
    "ASCENDING",
    "DESC",
    "DESCENDING",
    "CREATE",
    "INSERT",
    "MERGE",
    "SET",
  ],
  ...[
    "REMOVE",
    "DELETE",
    "DETACH",
    "NODETACH",
    "FOREACH",
    "LOAD",
    "LET",
    "FILTER",
    "FOR",
    "NEXT",
    "SEARCH",
    "ON",
  ],
]);

/** A label, type, key or parameter name as it stands in a statement. */
export const printName = (name: string): string => {
  if (name.includes("\\u") || name === "") throw new Error("this name cannot stand in a statement");
  return quoteName(name);
};

/** A variable as it stands in a statement. */
export const printVariable = (name: string): string =>
  keywords.has(name.toUpperCase()) ? `\`${name}\`` : printName(name);

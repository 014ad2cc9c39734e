/** Words that begin a clause which the language has. */
const known = ["MATCH", "OPTIONAL", "WITH", "UNWIND", "USE", "CALL", "RETURN"];

/** Clauses that change or load something, end the text, or are schema and server commands: listed when found. */
export const forbiddenClauses: ReadonlySet<string> = new Set([
  ...[
    "CREATE",
    "INSERT",
    "MERGE",
    "SET",
    "REMOVE",
    "DELETE",
    "DETACH",
    "NODETACH",
    "FOREACH",
    "LOAD",
    "FINISH",
  ],
  ...["DROP", "ALTER", "RENAME", "GRANT", "DENY", "REVOKE", "TERMINATE", "START", "STOP", "ENABLE"],
]);

/** Prefixes, joints and clauses of later language versions: refused one by one. */
export const otherClauses: ReadonlySet<string> = new Set([
  ...["UNION", "EXPLAIN", "PROFILE", "CYPHER", "SHOW", "USING"],
  ...["LET", "FILTER", "FOR", "NEXT", "WHEN", "SEARCH", "DEFINE", "ORDER", "SKIP", "OFFSET", "LIMIT"],
]);

/** Where reading goes on after a clause that was refused. */
export const clauseWords: ReadonlySet<string> = new Set([...known, ...forbiddenClauses, ...otherClauses]);

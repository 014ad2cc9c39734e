/** Clauses that the language has, in one version or another. */
const known = ["MATCH", "OPTIONAL", "WITH", "UNWIND", "USE", "CALL", "RETURN"];

/** Clauses that change or load something, or end the text: listed by name when found (policy language, section 5.1). */
const changing = [
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
];

/** Schema and server commands: listed as well. */
const commands = [
  "DROP",
  "ALTER",
  "RENAME",
  "GRANT",
  "DENY",
  "REVOKE",
  "TERMINATE",
  "START",
  "STOP",
  "ENABLE",
];

/** Prefixes, joints and clauses of later language versions: refused one by one. */
const others = [
  ...["UNION", "EXPLAIN", "PROFILE", "CYPHER", "SHOW", "USING"],
  ...["LET", "FILTER", "FOR", "NEXT", "WHEN", "SEARCH", "DEFINE", "ORDER", "SKIP", "OFFSET", "LIMIT"],
];

export const forbiddenClauses: ReadonlySet<string> = new Set([...changing, ...commands]);

/** Every word that begins a clause somewhere. */
export const clauseWords: ReadonlySet<string> = new Set([...known, ...changing, ...commands, ...others]);

/** Where reading goes on after a refusal: words that are hardly ever anything else. */
export const resumingWords: ReadonlySet<string> = new Set([...known, ...changing, "UNION", "DROP"]);

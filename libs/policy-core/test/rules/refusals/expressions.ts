import type { Version } from "../versions.ts";

/** [text, condition, versions; all three when nothing is said] */
export type Row = readonly [string, string, (readonly Version[])?];

export const both = "MATCH (subject), (resource)";

/** What cannot be cut into tokens, or is too much. */
export const tokenRows: readonly Row[] = [
  ['escape "\\u" is not allowed (line 1, column 42)', `${both} WHERE 'a' = '\\u0061'`],
  ['escape "\\u" is not allowed (line 1, column 41)', `${both} WHERE 'a' = '\\U0000005Cu0061'`],
  ['escape "\\U" needs eight hexadecimal digits (line 1, column 42)', `${both} WHERE 'a' = '\\U61'`],
  ['escape "\\U00110000" is not a character (line 1, column 42)', `${both} WHERE 'a' = '\\U00110000'`],
  ['escape "\\U" is not allowed in a name (line 1, column 31)', `${both}, (\`\\U0061\`)`],
  ['unknown escape "\\q" in a string (line 1, column 42)', `${both} WHERE 'a' = '\\q'`],
  ["text is not well-formed Unicode (line 1, column 1)", `${both} WHERE 'a' = '\uD800'`],
  ["string is not closed (line 1, column 41)", `${both} WHERE 'a' = 'b`],
  ["name in back-quotes is not closed (line 1, column 35)", `${both} WHERE \`a = 1`],
  ["name in back-quotes is empty (line 1, column 35)", `${both} WHERE \`\` = 1`],
  ["comment is not closed (line 1, column 29)", `${both} /* and so on`],
  ["a number has no leading zeros (line 1, column 39)", `${both} WHERE 1 = 01`],
  ['unexpected "1x" (line 1, column 39)', `${both} WHERE 1 = 1x`],
  ["integer is too large (line 1, column 39)", `${both} WHERE 1 = 9223372036854775808`],
  ["number is too large (line 1, column 39)", `${both} WHERE 1 = 1e999`],
  ['unexpected "="; write a single = for equality (line 1, column 38)', `${both} WHERE 1 == 1`],
  ['unexpected "#" (line 1, column 39)', `${both} WHERE 1 = #`],
  [
    'unexpected "–": only ASCII outside strings and back-quotes (line 1, column 41)',
    `${both} WHERE 1 = 1 – 1`,
  ],
  ['"(" is not closed (line 1, column 35)', `${both} WHERE (true`],
  ['unexpected ")" (line 1, column 28)', `${both}) WHERE true`],
  [
    "nesting deeper than 64 levels is not allowed (line 1, column 99)",
    `${both} WHERE ${"[".repeat(65)}${"]".repeat(65)} = 1`,
  ],
  [
    "nesting deeper than 64 levels is not allowed (line 1, column 1315)",
    `${both} WHERE ${"CASE WHEN true THEN ".repeat(65)}1${" END".repeat(65)} = 1`,
  ],
  [
    "more than 100 nested or 400 joined operators are not allowed (line 1, column 35)",
    `${both} WHERE 1${" + 1".repeat(120)} = 1`,
  ],
  ["more than 100 clauses, nodes and relationships", `${both}${" MATCH ()--()".repeat(25)}`],
  ["must have at most 20000 characters (has 20028)", `${both} ${" ".repeat(20_000)}`],
];

const chain = (hops: number): string => "-->()".repeat(hops);

/** What a row could need more than its share of, or what the database would plan for too long. */
export const boundsRows: readonly Row[] = [
  [
    'the accumulator "a" is used more than once in its own step and would multiply with each element; use it once (line 1, column 46)',
    `${both} WHERE size(split(reduce(a = 'x,', i IN [0, 1, 2] | a + a), ',')) = 1`,
  ],
  [
    "may need 32771 MiB for one row, at most 64 (EXPRESSION_MEMORY_BYTES); shorten strings and lists, and transform strings before collecting them (line 1, column 35)",
    `${both} WHERE replace(resource.property.plot, 'a', subject.property.plot) = ''`,
  ],
  [
    "may take 1030524988 steps for one row, at most 10000000 (EXPRESSION_STEPS); compare in a MATCH or in COUNT { } instead of nested list loops (line 1, column 73)",
    `${both} WHERE any(a IN resource.property.tags WHERE any(b IN resource.property.tags WHERE any(c IN resource.property.tags WHERE a + b = c)))`,
  ],
  [
    "reduce nested deeper than 3; make one list of the inner ones in a WITH (line 1, column 110)",
    `${both} WHERE ${"reduce(a = 0, i IN [1] | ".repeat(4)}1${")".repeat(4)} = 1`,
  ],
  [
    "more than 12 relationships are planned together; write WITH * between MATCH clauses, or EXISTS { } for a part (line 1, column 99)",
    `${both}, (subject)${chain(13)}`,
  ],
  [
    "more than 8 patterns that share no node are planned together; write WITH * between MATCH clauses (line 1, column 54)",
    `${both}${", ()".repeat(7)}`,
  ],
  [
    "more than 30 relationships; make several policies of them (line 1, column 247)",
    `${both}${` WITH * MATCH (subject)${chain(11)}`.repeat(3)}`,
  ],
];

/** Operators, functions and subqueries. */
export const expressionRows: readonly Row[] = [
  ["function labels is not allowed (line 1, column 35)", `${both} WHERE labels(subject) = []`],
  ["function apoc.text.join is not allowed (line 1, column 35)", `${both} WHERE apoc.text.join([], '') = ''`],
  ["function size takes 1 argument, not 0 (line 1, column 35)", `${both} WHERE size() = 1`],
  ["function coalesce takes at least 1 argument, not 0 (line 1, column 35)", `${both} WHERE coalesce() = 1`],
  [
    "function substring takes 2 to 3 arguments, not 1 (line 1, column 35)",
    `${both} WHERE substring('a') = 'a'`,
  ],
  ["function size does not take DISTINCT (line 1, column 35)", `${both} WHERE size(DISTINCT [1]) = 1`],
  ["aggregating function count is not allowed here (line 1, column 35)", `${both} WHERE count(subject) = 1`],
  [
    "aggregating function sum takes no subquery that aggregates; name its value in a WITH before (line 1, column 53)",
    `${both} WITH subject, resource, sum(COUNT { MATCH (x) WITH count(*) AS n WHERE n > 0 }) AS total`,
  ],
  ["all(…) needs WHERE (line 1, column 47)", `${both} WHERE all(x IN [1])`],
  [
    "map projections are not allowed; write single keys (line 1, column 35)",
    `${both} WHERE subject {.name} = 1`,
  ],
  [
    "COLLECT { } is not allowed; write collect() in a WITH, or a pattern comprehension (line 1, column 35)",
    `${both} WHERE COLLECT { MATCH (x) RETURN x } = []`,
  ],
  [
    "RETURN in EXISTS { } takes plain values; write DISTINCT, SKIP, LIMIT and aggregates in a WITH (line 1, column 54)",
    `${both} WHERE EXISTS { MATCH (x) RETURN count(x) }`,
  ],
  [
    "a pattern is a truth value only in WHERE, AND, OR, XOR, NOT and WHEN; write EXISTS { … } (line 1, column 37)",
    `${both} WITH *, (subject)-->(resource) AS knows`,
  ],
  [
    "WHERE inside a pattern is not allowed in a condition; write EXISTS { … } (line 1, column 35)",
    `${both} WHERE (subject WHERE true)-->(resource)`,
  ],
  ["a slice needs a beginning or an end (line 1, column 41)", `${both} WHERE [1][..] = [1]`],
  [
    "WHEN takes a value or a whole condition; write CASE WHEN x > 1 THEN … (line 1, column 47)",
    `${both} WHERE CASE 1 WHEN > 0 THEN true END`,
  ],
  [
    "the right side of =~ is a text, a parameter or a claim (line 1, column 42)",
    `${both} WHERE 'a' =~ resource.property.code`,
  ],
  ['not an accepted regular expression: "(" without ")" (line 1, column 42)', `${both} WHERE 'a' =~ '(a'`],
  ["a label test needs a node or relationship (line 1, column 36)", `${both} WHERE (1):Film`],
  ["SKIP and LIMIT take a number from 0 on (line 1, column 42)", `${both} WITH * LIMIT -1`],
  ["SKIP and LIMIT must not refer to variables (line 1, column 42)", `${both} WITH * LIMIT COUNT { (x) }`],
];

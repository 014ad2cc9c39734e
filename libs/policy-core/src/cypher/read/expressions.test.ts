import { describe, expect, it } from "@jest/globals";
import { parse } from "../parser.ts";
import { printTree } from "../printer.ts";

/** The expression with every operator in parentheses, or what is wrong with it. */
const read = (expression: string): string => {
  const parsed = parse(`MATCH (a) WHERE ${expression}`, { use: false, call: false });
  if (!parsed.ok) return parsed.faults.map((fault) => fault.message).join("; ");
  return printTree(parsed.query).slice("MATCH (a) WHERE ".length);
};

describe("precedence", () => {
  it.each([
    ["a OR b AND c", "(a OR (b AND c))"],
    ["a XOR b AND c OR d", "((a XOR (b AND c)) OR d)"],
    ["a OR b XOR c", "(a OR (b XOR c))"],
    ["NOT a AND b", "((NOT a) AND b)"],
    ["NOT a = b", "(NOT (a = b))"],
    ["NOT a IS NULL", "(NOT (a IS NULL))"],
    ["NOT NOT a", "(NOT (NOT a))"],
    ["a = b AND c <> d", "((a = b) AND (c <> d))"],
    ["1 < a <= 5", "(1 < a <= 5)"],
    ["a = b = c", "(a = b = c)"],
    ["(a = b) = c", "((a = b) = c)"],
    ["a IN b = c", "((a IN b) = c)"],
    ["a STARTS WITH b = c ENDS WITH d", "((a STARTS WITH b) = (c ENDS WITH d))"],
    ["a CONTAINS b + c", "(a CONTAINS (b + c))"],
    ["a + b IN c + d", "((a + b) IN (c + d))"],
    ["a =~ b || c", "(a =~ (b || c))"],
    ["a + b IS NULL", "((a + b) IS NULL)"],
    ["a - b - c", "((a - b) - c)"],
    ["a - b + c || d", "(((a - b) + c) || d)"],
    ["a + b * c", "(a + (b * c))"],
    ["a * b / c % d", "(((a * b) / c) % d)"],
    ["a * b ^ c", "(a * (b ^ c))"],
    ["a ^ b ^ c", "((a ^ b) ^ c)"],
    ["-a ^ b", "((-a) ^ b)"],
    ["a ^ -b", "(a ^ (-b))"],
    ["a - -b", "(a - (-b))"],
    ["a--b", "(a - (-b))"],
    ["- -a", "(-(-a))"],
    ["-a.b", "(-a.b)"],
    ["-a[0]", "(-a[0])"],
    ["a.b.c[1][2..3].d", "a.b.c[1][2..3].d"],
    ["a[..3]", "a[..3]"],
    ["a[1..]", "a[1..]"],
    ["a:B = true", "((a:B) = true)"],
    ["a:B:C", "(a:B&C)"],
    ["a + b:C", "(a + (b:C))"],
    ["NOT a:B|C", "(NOT (a:B|C))"],
    ["a IS B", "(a:B)"],
    ["a IS NOT NULL OR a IS NULL", "((a IS NOT NULL) OR (a IS NULL))"],
    ["endNode(r):Ward", "(endnode(r):Ward)"],
    ["a AND b AND c AND d", "(a AND b AND c AND d)"],
    ["a AND (b AND c)", "(a AND (b AND c))"],
    ["(a OR b) AND (c OR d)", "((a OR b) AND (c OR d))"],
    ["((((a))))", "a"],
  ])("%s is %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("a pattern and an expression in parentheses", () => {
  it.each([
    ["(a)-->(b)", "(a)-->(b)"],
    ["(a)--(b)", "(a)--(b)"],
    ["(a)<--(b)", "(a)<--(b)"],
    ["(a)<-->(b)", "(a)--(b)"],
    ["(a) - [r:T] - > (b)", "(a)-[r:T]->(b)"],
    ["(a)-(b)", "(a - b)"],
    ["(a)<-(b)", "(a < (-b))"],
    ["(a)-[b]", "(a - [b])"],
    ["(a)-[1]-(c)", "((a - [1]) - c)"],
    ["(a)-[b, c]-(d)", "((a - [b, c]) - d)"],
    ["(a)-[b]-(c)", "(a)-[b]-(c)"],
    ["(a.b)--(c)", "(a.b - (-c))"],
    ["(a:B)", "(a:B)"],
    ["(a:B)-->(c:D {e: 1})", "(a:B)-->(c:D {e: 1})"],
    ["NOT (a)-->(b)<--(:C)", "(NOT (a)-->(b)<--(:C))"],
    ["((a)-->(b)) AND true", "((a)-->(b) AND true)"],
    ["(a)-->(b) OR a.x - 1 = 2", "((a)-->(b) OR ((a.x - 1) = 2))"],
  ])("%s is %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("lists and comprehensions", () => {
  it.each([
    ["[]", "[]"],
    ["[a, 1, 'x']", "[a, 1, 'x']"],
    ["[x IN l]", "[x IN l]"],
    ["[(x IN l)]", "[(x IN l)]"],
    ["[x IN l, y]", "[(x IN l), y]"],
    ["[x IN l WHERE x > 1]", "[x IN l WHERE (x > 1)]"],
    ["[x IN l | x.a]", "[x IN l | x.a]"],
    ["[x IN l WHERE x:A | x.a]", "[x IN l WHERE (x:A) | x.a]"],
    ["[x IN l WHERE x:A|B | x.a]", "[x IN l WHERE (x:A|B) | x.a]"],
    // As the database reads it: the last bar begins the result.
    ["[x IN l WHERE x:A|B]", "[x IN l WHERE (x:A) | B]"],
    ["[x IN l | x:A|B]", "[x IN l | (x:A|B)]"],
    [
      "[x IN [y IN l WHERE y:A|B | y.z] WHERE x:C | x]",
      "[x IN [y IN l WHERE (y:A|B) | y.z] WHERE (x:C) | x]",
    ],
    ["[x IN CASE a WHEN 1, 2 THEN l END]", "[x IN CASE a WHEN 1, 2 THEN l END]"],
    ["[x IN l | CASE x WHEN 1, 2 THEN 3 END]", "[x IN l | CASE x WHEN 1, 2 THEN 3 END]"],
    ["[x IN l WHERE x.end = 1, y]", 'unexpected "WHERE"'],
    ["[(a)-->(b) | b.x]", "[(a)-->(b) | b.x]"],
    ["[p = (a)-->(b) WHERE b:A|B | length(p)]", "[p = (a)-->(b) WHERE (b:A|B) | length(p)]"],
    ["[(a)--(b) AND true]", "[((a)--(b) AND true)]"],
    ["reduce(s = 0, x IN l | s + x)", "reduce(s = 0, x IN l | (s + x))"],
    ["all(x IN l WHERE x:A|B)", "all(x IN l WHERE (x:A|B))"],
    [
      "ALL(r IN rels WHERE r.shift = 1 AND endNode(r):Ward)",
      "all(r IN rels WHERE ((r.shift = 1) AND (endnode(r):Ward)))",
    ],
    ["any(x IN l)", "any(…) needs WHERE"],
    ["[x IN l WHERE]", 'unexpected "]"'],
  ])("%s is %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("operands", () => {
  it.each([
    ["a.x = $token.act.sub", "(a.x = $token.act.sub)"],
    ["a.x = $`any name` OR a.x = $0", "((a.x = $`any name`) OR (a.x = $`0`))"],
    ["a.x = TRUE OR a.x = False OR a.x = NULL", "((a.x = true) OR (a.x = false) OR (a.x = null))"],
    ["a.`true` = `true`", "(a.true = `true`)"],
    ["a.delete = 'DELETE' OR a:Set", "((a.delete = 'DELETE') OR (a:Set))"],
    [
      "CASE WHEN a.x THEN 1 WHEN (a)-->() THEN 2 ELSE 3 END = 1",
      "(CASE WHEN a.x THEN 1 WHEN (a)-->() THEN 2 ELSE 3 END = 1)",
    ],
    ["CASE a.x WHEN 1 THEN 'y' END = 'y'", "(CASE a.x WHEN 1 THEN 'y' END = 'y')"],
    ["case.x = 1", "(`case`.x = 1)"],
    ["{a: 1, `b c`: {d: null}}.a = 1", "({a: 1, `b c`: {d: null}}.a = 1)"],
    ["EXISTS { (a)-->(b) WHERE b.x = 1 }", "EXISTS { (a)-->(b) WHERE (b.x = 1) }"],
    ["exists{MATCH (a)-->(b) RETURN b}", "EXISTS { MATCH (a)-->(b) }"],
    ["EXISTS { MATCH (a) RETURN DISTINCT a ORDER BY a.x }", "EXISTS { MATCH (a) }"],
    ["COUNT { (a)-->() } > 2", "(COUNT { (a)-->() } > 2)"],
    ["count{ match = (a)-->() } > 2", "(COUNT { `match` = (a)-->() } > 2)"],
    [
      "COUNT { MATCH (a)-->(b) WITH DISTINCT b ORDER BY b.x DESC LIMIT 3 } > 2",
      "(COUNT { MATCH (a)-->(b) WITH DISTINCT b ORDER BY b.x DESC LIMIT 3 } > 2)",
    ],
    [
      "duration.between(date(), date('2020-01-01')).days > 3",
      "(duration.between(date(), date('2020-01-01')).days > 3)",
    ],
    ["a.x = 1e21 + 5.0 + .5 + 1e-7", "(a.x = (((1e21 + 5.0) + 0.5) + 1e-7))"],
    ["size(a.x) = round(1.5, 1)", "(size(a.x) = round(1.5, 1))"],
  ])("%s is %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ["a.x =", "unexpected end of the text"],
    ["a.x = NOT b", 'unexpected "NOT"'],
    ["a IN b IN c", 'unexpected "IN"'],
    ["a IS NULL IS NULL", 'unexpected "IS"'],
    ["a =~ b CONTAINS c", 'unexpected "CONTAINS"'],
    ["a.x != 1", 'unexpected "!"'],
    ["a == 1", 'unexpected "="; write a single = for equality'],
    ["a.x = s'{a}'", "unexpected \"'{a}'\""],
    ["a IS :: INTEGER", 'unexpected ":"'],
    ["a IS TYPED INTEGER", 'unexpected "TYPED"'],
    ["a.x = NaN", 'unexpected "NaN"'],
    ["a {.*}", "map projections are not allowed; write single keys"],
    [
      "COLLECT { MATCH (a) RETURN a } = []",
      "COLLECT { } is not allowed; write collect() in a WITH, or a pattern comprehension",
    ],
    ["EXISTS { }", 'unexpected "}"'],
    [
      "COUNT { MATCH (a) RETURN DISTINCT a } > 1",
      "RETURN in COUNT { } takes plain values; write DISTINCT, SKIP, LIMIT and aggregates in a WITH",
    ],
    [
      "EXISTS { MATCH (a) RETURN count(a) }",
      "RETURN in EXISTS { } takes plain values; write DISTINCT, SKIP, LIMIT and aggregates in a WITH",
    ],
    ["EXISTS { MATCH (a) RETURN a MATCH (b) }", 'unexpected "MATCH"'],
    ["EXISTS { MATCH (a) UNION MATCH (b) }", "UNION is not allowed"],
    ["CASE a WHEN > 1 THEN 2 END", "WHEN takes a value or a whole condition; write CASE WHEN x > 1 THEN …"],
    ["CASE a END", 'unexpected "END"'],
    ["a[..]", "a slice needs a beginning or an end"],
    ["{'a': 1} = a", "unexpected \"'a'\""],
    [
      "(a)-->() = true",
      "a pattern is a truth value only in WHERE, AND, OR, XOR, NOT and WHEN; write EXISTS { … }",
    ],
    ["(a)-->(b WHERE b.x = 1)", "WHERE inside a pattern is not allowed in a condition; write EXISTS { … }"],
    ["shortestPath((a)-->(b)) = 1", "shortest paths are not allowed; write a bounded path, -[:TYPE*1..3]->"],
    ["(a)-->+(b)", "quantified path patterns are not allowed; write -[:TYPE*1..3]->"],
    ["a:$(b)", "dynamic labels are not allowed; write the label itself"],
    ["a:B:C|D", 'a label expression does not mix ":" with "&", "|", "!", "%" or parentheses'],
    ["$ = 1", 'unexpected "="'],
    ["$'a' = 1", "unexpected \"'a'\""],
  ])("%s is refused: %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("functions", () => {
  it.each([
    ["elementId(a) = 'x'", "function elementId is not allowed"],
    ["ID(a) = 1", "function ID is not allowed"],
    ["properties(a) = {}", "function properties is not allowed"],
    ["keys(a) = labels(a)", "function keys is not allowed; function labels is not allowed"],
    ["rand() = randomUUID()", "function rand is not allowed; function randomUUID is not allowed"],
    ["apoc.text.join(a.x, ',') = ''", "function apoc.text.join is not allowed"],
    ["exists(a.x)", "function exists is not allowed"],
    ["`apoc`.`x`(a)", "function apoc.x is not allowed"],
    ["size() = 1", "function size takes 1 argument, not 0"],
    ["coalesce() = 1", "function coalesce takes at least 1 argument, not 0"],
    ["substring('x') = 1", "function substring takes 2 to 3 arguments, not 1"],
    ["toLower(DISTINCT a.x) = 'x'", "function toLower does not take DISTINCT"],
    ["count(a) > 1", "aggregating function count is not allowed here"],
    ["size(*) > 1", 'unexpected "*"'],
  ])("%s: %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

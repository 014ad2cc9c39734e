import { describe, expect, it } from "@jest/globals";
import { inLongRun } from "../runs.ts";
import { complaintsOf } from "./checker.ts";
import { ourReading } from "./our-reading.ts";
import { vendorReading } from "./vendor-reading.ts";

/** Precedence of operators: each with the reading that both must have. */
const core: readonly (readonly [string, string])[] = [
  ["a OR b XOR c AND d", "(a OR (b XOR (c AND d)))"],
  ["NOT a AND b", "((NOT a) AND b)"],
  ["NOT a = b", "(NOT (a = b))"],
  ["NOT a IN b", "(NOT (a IN b))"],
  ["1 < x <= 5", "(1 < x <= 5)"],
  ["(1 < x) <= 5", "((1 < x) <= 5)"],
  ["a = b IS NULL", "(a = (b IS NULL))"],
  ["a = b IN c", "(a = (b IN c))"],
  ["a IN b + c", "(a IN (b + c))"],
  ["a =~ b + c = d", "((a =~ (b + c)) = d)"],
  ["a || b + c - d", "(((a || b) + c) - d)"],
  ["1 + 2 * 3 ^ 4 % 5 / 6 - 7", "((1 + (((2 * (3 ^ 4)) % 5) / 6)) - 7)"],
  ["2 ^ 3 ^ 2", "((2 ^ 3) ^ 2)"],
  ["-2 ^ 2", "((-2) ^ 2)"],
  ["-a.b", "(-(a.b))"],
  ["a.b.c[0][1..2].d", "((((((a.b).c)[0])[1..2]).d))".slice(1, -1)],
  ["a:B AND c:D|E&!F", "((a:B) AND (c:(D|(E&(!F)))))"],
  ["a:B = c", "((a:B) = c)"],
  ["(a)<-(b)", "(a < (-b))"],
  ["(a)-->(b) AND NOT (b)<-[r]-(c)", "((a)-->(b) AND (NOT (b)<-[r]-(c)))"],
  [
    "a AND CASE b WHEN 1, 2 THEN c OR d ELSE e END IS NULL",
    "(a AND (CASE b WHEN 1,2 THEN (c OR d) ELSE e END IS NULL))",
  ],
  ["[x IN a WHERE x:B|C | x.d]", "[x IN a WHERE (x:(B|C))|(x.d)]"],
  ["[x IN a | x:B|C]", "[x IN a|(x:(B|C))]"],
  ["all(x IN a + b WHERE x > 1 OR c) XOR d", "(all(x IN (a + b) WHERE ((x > 1) OR c)) XOR d)"],
  ["reduce(s = 0, x IN a | s + x * 2) - 1", "(reduce(s=0,x IN a|(s + (x * 2))) - 1)"],
];

/** The same operators in other places. */
const more: typeof core = [
  ["a AND b XOR c OR d", "(((a AND b) XOR c) OR d)"],
  ["NOT NOT a OR b", "((NOT (NOT a)) OR b)"],
  ["NOT a IS NULL", "(NOT (a IS NULL))"],
  ["1 < 2 < 3 = true <> b", "(1 < 2 < 3 = true <> b)"],
  ["1 < (x <= 5)", "(1 < (x <= 5))"],
  ["a + b IS NOT NULL", "((a + b) IS NOT NULL)"],
  ["a IN b = c", "((a IN b) = c)"],
  ["a + b IN c", "((a + b) IN c)"],
  ["a STARTS WITH b || c", "(a STARTS WITH (b || c))"],
  ["a ENDS WITH b AND c CONTAINS d", "((a ENDS WITH b) AND (c CONTAINS d))"],
  ["2 ^ -2", "(2 ^ (-2))"],
  ["-a[0] + 1", "((-(a[0])) + 1)"],
  ["a - -1", "(a - (-1))"],
  ["+a * -b", "((+a) * (-b))"],
  ["$p.a.b + $q[0]", "((($p.a).b) + ($q[0]))"],
  ["NOT a:B:C", "(NOT (a:(B&C)))"],
  ["a.b:(C|D)&%", "((a.b):((C|D)&%))"],
  ["(a)-(b)", "(a - b)"],
  ["(a)--(b)", "(a)--(b)"],
  ["[x IN [a:A|B] WHERE x | x]", "[x IN [(a:(A|B))] WHERE x|x]"],
  ["[x IN a = b:A|B WHERE x:C|D | x.e]", "[x IN (a = (b:(A|B))) WHERE (x:(C|D))|(x.e)]"],
  ["[x IN a WHERE x:A|B]", "[x IN a WHERE (x:A)|B]"],
];

describe("precedence", () => {
  it.each([...core, ...inLongRun(more)])("%s", (expression, expected) => {
    expect(ourReading(expression)).toBe(expected);
    expect(vendorReading(expression)).toBe(expected);
  });

  it.each([
    "1 + NOT a",
    ...inLongRun([
      "a IN b IN c",
      "a IS NULL IS NULL",
      "a = NOT b",
      "a =~ b STARTS WITH c",
      "a b",
      "a +",
      "NOT",
    ]),
  ])("%s is an expression for neither", (expression) => {
    expect(ourReading(expression)).toBeUndefined();
    expect(complaintsOf(`MATCH (a), (b), (c) RETURN ${expression} AS r`)).not.toEqual([]);
  });
});

/** Names, texts, literals and labels of arbitrary trees. Every `at` is 0. */
import fc from "fast-check";
import type { Expression, LabelExpression } from "../../src/cypher/ast.ts";
import { functions } from "../../src/cypher/functions.ts";

export const at = 0;

/** No text can hold the escape that the database decodes first. */
const isPossible = (text: string): boolean => text.isWellFormed() && !text.includes("\\u");

const word = fc.constantFrom(
  "a",
  "b",
  "car",
  "subject",
  "resource",
  "_x1",
  "property",
  "value",
  "Nurse",
  "HAS",
);
const keyword = fc.constantFrom(
  "where",
  "MATCH",
  "Set",
  "is",
  "true",
  "Null",
  "count",
  "exists",
  "in",
  "case",
  "all",
);
const odd = fc.constantFrom(
  "a b",
  "`",
  "a`b``",
  "price.metadata.source",
  "'",
  "\\",
  "é",
  "{",
  "*/",
  "//",
  "\n",
  "$x",
);
export const name = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 2, arbitrary: keyword },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 6, unit: "binary" }).filter(isPossible) },
);
export const value = fc.oneof(
  fc.string({ maxLength: 12, unit: "binary" }).filter(isPossible),
  fc.constantFrom(
    "",
    "it's",
    'say "hi"',
    "\\",
    "\\\\n",
    "\n\r\t\b\f",
    "\u0000",
    "CREATE (n)",
    "$5",
    "// no",
    "/*",
    "`",
  ),
);

export const literal = fc.oneof(
  value.map((text): Expression => ({ kind: "string", value: text, at })),
  fc
    .bigInt({ min: 0n, max: 2n ** 63n - 1n })
    .map((number): Expression => ({ kind: "integer", value: number, at })),
  fc
    .double({ min: 0, noNaN: true, noDefaultInfinity: true })
    .map((number): Expression => ({ kind: "float", value: Math.abs(number), at })),
  fc.boolean().map((truth): Expression => ({ kind: "boolean", value: truth, at })),
  fc.constant<Expression>({ kind: "null", at }),
);
export const variable = name.map((text): Expression => ({ kind: "variable", name: text, at }));
export const parameter = name.map((text): Expression => ({ kind: "parameter", name: text, at }));
export const bound = fc.oneof(
  fc.bigInt({ min: 0n, max: 1000n }).map((number): Expression => ({ kind: "integer", value: number, at })),
  parameter,
);

export const plainFunctions = [...functions].filter(([, signature]) => !signature.aggregate);
export const aggregateFunctions = [...functions].filter(([, signature]) => signature.aggregate);

export const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3 });
export const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

export const length = fc.oneof(
  fc.constant({}),
  fc.record({ min: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ max: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ min: fc.integer({ min: 0, max: 20 }), max: fc.integer({ min: 0, max: 20 }) }),
);

export const types = fc.oneof(
  name.map((text): LabelExpression => ({ kind: "label", name: text, at })),
  fc.array(name, { minLength: 2, maxLength: 3 }).map((names): LabelExpression => ({
    kind: "label-or",
    parts: names.map((text) => ({ kind: "label", name: text, at })),
    at,
  })),
);

const someLabels = (part: fc.Arbitrary<LabelExpression>): fc.Arbitrary<readonly LabelExpression[]> =>
  fc.array(part, { minLength: 2, maxLength: 3 });

/** A label expression of the parts that `part` makes. */
export const labelOf = (part: fc.Arbitrary<LabelExpression>): readonly fc.Arbitrary<LabelExpression>[] => [
  name.map((text): LabelExpression => ({ kind: "label", name: text, at })),
  fc.constant<LabelExpression>({ kind: "label-any", at }),
  part.map((inner): LabelExpression => ({ kind: "label-not", part: inner, at })),
  fc
    .record({ kind: fc.constantFrom("label-and" as const, "label-or" as const), parts: someLabels(part) })
    .map((parts): LabelExpression => ({ ...parts, at })),
];

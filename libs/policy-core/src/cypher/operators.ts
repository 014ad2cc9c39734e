import type { BinaryOperator, ComparisonOperator } from "./ast.ts";

/** Precedence, loosest first. */
export const level = {
  or: 1,
  xor: 2,
  and: 3,
  not: 4,
  comparison: 5,
  predicate: 6,
  sum: 7,
  product: 8,
  power: 9,
} as const;

interface BinarySyntax {
  readonly level: number;
  /** A chain of it, `a AND b AND …`, is printed without parentheses and counts as one level of depth. */
  readonly flatChain?: true;
  /** The database also reads it after WHEN without a left side, which is refused here. */
  readonly standsAfterWhen?: true;
}

/** How each binary operator is written. Every word list of the parser derives from this table. */
export const binarySyntax: Readonly<Record<BinaryOperator, BinarySyntax>> = {
  OR: { level: level.or, flatChain: true },
  XOR: { level: level.xor, flatChain: true },
  AND: { level: level.and, flatChain: true },
  "=~": { level: level.predicate, standsAfterWhen: true },
  "STARTS WITH": { level: level.predicate, standsAfterWhen: true },
  "ENDS WITH": { level: level.predicate, standsAfterWhen: true },
  CONTAINS: { level: level.predicate },
  IN: { level: level.predicate },
  "+": { level: level.sum },
  "-": { level: level.sum },
  "||": { level: level.sum },
  "*": { level: level.product },
  "/": { level: level.product },
  "%": { level: level.product },
  "^": { level: level.power },
};

/** Every comparison operator, and whether it orders its sides or tests them for equality. */
export const comparisonKinds: Readonly<Record<ComparisonOperator, "equality" | "order">> = {
  "=": "equality",
  "<>": "equality",
  "<": "order",
  "<=": "order",
  ">": "order",
  ">=": "order",
};

export const binaryOperators = Object.keys(binarySyntax) as readonly BinaryOperator[]; // the keys of the table

export const comparisonOperators = Object.keys(comparisonKinds) as readonly ComparisonOperator[]; // the keys of the table

const isWords = (operator: BinaryOperator): boolean => /^[A-Z]/.test(operator);

/** A binary operator as the parser finds it, by its first word or its mark. */
export interface Infix {
  readonly operator: BinaryOperator;
  readonly level: number;
  /** The second word of the operator. */
  readonly second: string | undefined;
}

const infixes = (operators: readonly BinaryOperator[]): ReadonlyMap<string, Infix> =>
  new Map(
    operators.map((operator) => {
      const [first = operator, second] = operator.split(" ");
      return [first, { operator, level: binarySyntax[operator].level, second }];
    }),
  );

export const infixWords = infixes(binaryOperators.filter(isWords));

export const infixMarks = infixes(binaryOperators.filter((operator) => !isWords(operator)));

export const comparisonMarks: ReadonlyMap<string, ComparisonOperator> = new Map(
  comparisonOperators.map((operator) => [operator, operator]),
);

/** Every word of an operator, the second ones too. */
export const operatorWords: readonly string[] = binaryOperators
  .filter(isWords)
  .flatMap((operator) => operator.split(" "));

/** First words and marks of operators that the database reads after WHEN without a left side. */
export const startsAfterWhen: ReadonlySet<string> = new Set([
  "IS",
  ...comparisonOperators,
  ...[...infixWords, ...infixMarks].flatMap(([first, { operator }]) =>
    binarySyntax[operator].standsAfterWhen === true ? [first] : [],
  ),
]);

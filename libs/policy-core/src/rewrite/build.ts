import type {
  BinaryOperator,
  BooleanLiteral,
  Case,
  Comparison,
  ComparisonOperator,
  Expression,
  FunctionCall,
  NodePattern,
  NullLiteral,
  Parameter,
  PathPattern,
  Property,
  StringLiteral,
  Variable,
} from "../cypher/ast.ts";

/** The offset of generated tree nodes, which are in no author's text. */
export const noPosition = -1;

export const variable = (name: string): Variable => ({ kind: "variable", name, at: noPosition });
export const parameter = (name: string): Parameter => ({ kind: "parameter", name, at: noPosition });
export const text = (value: string): StringLiteral => ({ kind: "string", value, at: noPosition });
export const trueLiteral: BooleanLiteral = { kind: "boolean", value: true, at: noPosition };
export const nullLiteral: NullLiteral = { kind: "null", at: noPosition };
export const property = (target: Expression, ...keys: readonly string[]): Expression =>
  keys.reduce<Expression>(
    (inner, key): Property => ({ kind: "property", target: inner, key, at: noPosition }),
    target,
  );
export const call = (name: string, ...args: readonly Expression[]): FunctionCall => ({
  kind: "function",
  name,
  distinct: false,
  star: false,
  args,
  at: noPosition,
});
export const concat = (left: Expression, right: Expression): Expression => ({
  kind: "binary",
  operator: "+",
  left,
  right,
  at: noPosition,
});
export const compareBy = (
  first: Expression,
  operator: ComparisonOperator,
  operand: Expression,
): Comparison => ({
  kind: "comparison",
  first,
  rest: [{ kind: "step", operator, operand, at: noPosition }],
  at: noPosition,
});

/** `(from)-[:type]->(name:label)`. */
export const hop = (from: string, type: string, name: string, label: string): PathPattern => {
  const end = (node: Partial<NodePattern>): NodePattern => ({ kind: "node", at: noPosition, ...node });
  return {
    kind: "path",
    elements: [
      end({ variable: from }),
      {
        kind: "relationship",
        direction: "out",
        label: { kind: "label", name: type, at: noPosition },
        at: noPosition,
      },
      end({ variable: name, label: { kind: "label", name: label, at: noPosition } }),
    ],
    at: noPosition,
  };
};

export const operate = (left: Expression, operator: BinaryOperator, right: Expression): Expression => ({
  kind: "binary",
  operator,
  left,
  right,
  at: noPosition,
});

export const integer = (value: number): Expression =>
  value < 0
    ? { kind: "unary", operator: "-", operand: integer(-value), at: noPosition }
    : { kind: "integer", value: BigInt(value), at: noPosition };

export const when = (test: Expression, then: Expression, otherwise?: Expression): Case => ({
  kind: "case",
  alternatives: [{ kind: "alternative", when: [test], then, at: noPosition }],
  ...(otherwise === undefined ? {} : { otherwise }),
  at: noPosition,
});

/** `first op second op2 third`: both hold. */
export const chain = (
  first: Expression,
  operator: ComparisonOperator,
  second: Expression,
  nextOperator: ComparisonOperator,
  third: Expression,
): Comparison => ({
  kind: "comparison",
  first,
  rest: [
    { kind: "step", operator, operand: second, at: noPosition },
    { kind: "step", operator: nextOperator, operand: third, at: noPosition },
  ],
  at: noPosition,
});

/** True for what costs next to nothing to read again. */
export const isCheapToRepeat = (expression: Expression): boolean =>
  expression.kind === "variable" ||
  expression.kind === "parameter" ||
  (expression.kind === "property" && isCheapToRepeat(expression.target));

/** `body` with a name for a value that it reads more than once; the name must not occur in `value`'s own body. */
export const letExpression = (
  name: string,
  value: Expression,
  body: (named: Expression) => Expression,
): Expression =>
  call("head", {
    kind: "list-comprehension",
    variable: name,
    list: { kind: "list", items: [value], at: noPosition },
    result: body(variable(name)),
    at: noPosition,
  });

/** Tests whether a value is a list. */
export const listTest = (operand: Expression): Expression =>
  operate(call("valueType", operand), "STARTS WITH", text("LIST"));

/** Tests whether a value is not null. */
export const presenceTest = (operand: Expression): Expression => ({
  kind: "is-null",
  operand,
  negated: true,
  at: noPosition,
});

/** Tests whether a value is a number or a text. */
export const orderableTest = (operand: Expression): Expression =>
  operate(call("valueType", operand), "IN", {
    kind: "list",
    items: ["INTEGER NOT NULL", "FLOAT NOT NULL", "STRING NOT NULL"].map(text),
    at: noPosition,
  });

/**
 * The same value with its type hidden: the database refuses a text like `5 CONTAINS 'a'` when it knows the types
 * beforehand, where it answers null when it learns them from data. A key of a map would not hide it: the calendar
 * releases know the type of its members.
 */
export const hideType = (operand: Expression): Expression =>
  call("coalesce", { kind: "null", at: noPosition }, operand);

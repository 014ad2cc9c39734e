import type {
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

/** Tree nodes of our own making; they stand nowhere in an author's text. */
const at = -1;

export const variable = (name: string): Variable => ({ kind: "variable", name, at });
export const parameter = (name: string): Parameter => ({ kind: "parameter", name, at });
export const text = (value: string): StringLiteral => ({ kind: "string", value, at });
export const nothing: NullLiteral = { kind: "null", at };
export const property = (target: Expression, ...keys: readonly string[]): Expression =>
  keys.reduce<Expression>((inner, key): Property => ({ kind: "property", target: inner, key, at }), target);
export const call = (name: string, ...args: readonly Expression[]): FunctionCall => ({
  kind: "function",
  name,
  distinct: false,
  star: false,
  args,
  at,
});
export const concat = (left: Expression, right: Expression): Expression => ({
  kind: "binary",
  operator: "+",
  left,
  right,
  at,
});
export const compareBy = (
  first: Expression,
  operator: ComparisonOperator,
  operand: Expression,
): Comparison => ({
  kind: "comparison",
  first,
  rest: [{ kind: "step", operator, operand, at }],
  at,
});

/** `(from)-[:type]->(name:label)`. */
export const hop = (from: string, type: string, name: string, label: string): PathPattern => {
  const end = (node: Partial<NodePattern>): NodePattern => ({ kind: "node", at, ...node });
  return {
    kind: "path",
    elements: [
      end({ variable: from }),
      { kind: "relationship", direction: "out", label: { kind: "label", name: type, at }, at },
      end({ variable: name, label: { kind: "label", name: label, at } }),
    ],
    at,
  };
};

const binary = (left: Expression, operator: "STARTS WITH" | "IN", right: Expression): Expression => ({
  kind: "binary",
  operator,
  left,
  right,
  at,
});

/** True when a value is a list. */
export const isList = (operand: Expression): Expression =>
  binary(call("valueType", operand), "STARTS WITH", text("LIST"));

/** True when a value is a number or a text. */
export const isOrderable = (operand: Expression): Expression =>
  binary(call("valueType", operand), "IN", {
    kind: "list",
    items: ["INTEGER NOT NULL", "FLOAT NOT NULL", "STRING NOT NULL"].map(text),
    at,
  });

/**
 * The same value with its type hidden: the database refuses a text like `5 CONTAINS 'a'` when it knows the types
 * beforehand, where it answers null when it learns them from data.
 */
export const untyped = (operand: Expression): Expression =>
  property({ kind: "map", entries: [{ kind: "entry", key: "v", value: operand, at }], at }, "v");

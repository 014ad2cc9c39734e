import type { ProjectKey } from "@ikg/physical";
import type { Expression } from "../cypher/ast.ts";
import { hideType, noPosition, variable } from "../rewrite/build.ts";
import { physicalNodePath, physicalRelationshipPath } from "../rewrite/paths.ts";
import { physicalReference, type RowSource } from "../rewrite/values.ts";
import type { Operand, Scalar } from "./filter.ts";

/** Where a filter is printed: in which project, and where its statement finds values. */
export interface PrintContext {
  readonly pk: ProjectKey;
  readonly rowSource: RowSource;
}

/** A number as a literal; whole ones as integers. */
export const number = (value: number): Expression => {
  if (value < 0 || Object.is(value, -0))
    return { kind: "unary", operator: "-", operand: number(-value), at: noPosition };
  return Number.isSafeInteger(value)
    ? { kind: "integer", value: BigInt(value), at: noPosition }
    : { kind: "float", value, at: noPosition };
};

const scalar = (value: Scalar): Expression => {
  if (typeof value === "string") return { kind: "string", value, at: noPosition };
  return typeof value === "boolean" ? { kind: "boolean", value, at: noPosition } : number(value);
};

/** What a filter reads, as an expression over one row. */
export const operandExpression = (operand: Operand, context: PrintContext): Expression => {
  switch (operand.kind) {
    case "literal":
      return typeof operand.value === "object"
        ? { kind: "list", items: operand.value.map(scalar), at: noPosition }
        : scalar(operand.value);
    case "reference":
      return physicalReference(operand.reference, context.rowSource);
    case "node-path":
      return physicalNodePath(variable(operand.path.alias), operand.path, context.pk);
    case "relationship-path": {
      const expression = physicalRelationshipPath(variable(operand.path.alias), operand.path);
      // The type of a relationship is a text, which the database takes for no list.
      return expression.kind === "function" ? hideType(expression) : expression;
    }
    case "aggregate":
      // What a WITH bound may have a type that the database knows; a stored value never has.
      return hideType(variable(operand.name));
  }
};

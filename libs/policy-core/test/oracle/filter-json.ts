/** Writes the filters of a policy or query as their author would. */
import { stepText } from "./author.ts";
import type { FilterSpec, OperandSpec, Scalar, Stored } from "./model.ts";

const jsonOf = (value: Stored): unknown =>
  Array.isArray(value)
    ? value.map((each: Scalar) => jsonOf(each))
    : typeof value === "bigint"
      ? Number(value)
      : value;

const operandText = (operand: OperandSpec): string => {
  switch (operand.is) {
    case "literal":
      return String(operand.value);
    case "reference":
      return `$${[operand.name, ...operand.path].join(".")}`;
    case "node":
      return `${operand.alias}.${stepText(operand.step).replaceAll("`", "")}`;
    case "edge":
      return `${operand.alias}.${operand.name}`;
    case "value":
      return operand.name;
    case "instant":
      return operandText(operand.of);
  }
};

const operandJson = (operand: OperandSpec): unknown => {
  if (operand.is === "instant") return { type: "datetime", value: operandText(operand.of) };
  if (operand.is === "literal") return jsonOf(operand.value);
  const text = operandText(operand);
  return operand.is === "node" || operand.is === "edge" ? `@${text}` : text;
};

/** The JSON of a filter. */
export const filterJson = (filter: FilterSpec): unknown => {
  if (!("attribute" in filter))
    return { operator: filter.operator, operands: filter.operands.map(filterJson) };
  return {
    attribute:
      filter.attribute.is === "instant" ? operandJson(filter.attribute) : operandText(filter.attribute),
    operator: filter.operator,
    ...(filter.value === undefined ? {} : { value: operandJson(filter.value) }),
  };
};

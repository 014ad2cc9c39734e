import neo4j from "neo4j-driver";
import type { Params } from "./types.ts";

const describe = (value: unknown): string =>
  typeof value === "object"
    ? "an object of a class"
    : value === undefined
      ? "undefined"
      : `a ${typeof value}`;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const convert = (value: unknown): unknown => {
  switch (typeof value) {
    case "number":
      // The driver sends every JavaScript number as a float; integers must say so (neo4j specification 5).
      return Number.isSafeInteger(value) ? neo4j.int(value) : value;
    case "string":
    case "boolean":
      return value;
    case "object":
      if (value === null) return null;
      if (Array.isArray(value)) return value.map(convert);
      if (value instanceof Int8Array) return value; // bytes, as the driver sends and answers them
      if (isPlain(value)) return parameters(value as Params); // a plain object is a map of values
      break;
    default:
  }
  throw new TypeError(`a statement parameter cannot be ${describe(value)}`);
};

/**
 * The parameters of a statement as the driver wants them: safe integers become Cypher integers, other numbers
 * floats, at any depth; an Int8Array is a list of bytes.
 *
 * @throws TypeError on undefined, functions, symbols, bigints and objects of classes: a bug of the caller.
 */
export const parameters = (values: Params): Record<string, unknown> => {
  const converted: Record<string, unknown> = {};
  for (const key of Object.keys(values)) {
    const value = convert(values[key]);
    // Assigning to `__proto__` would change the object instead of adding a key.
    if (key === "__proto__") Object.defineProperty(converted, key, { value, enumerable: true });
    else converted[key] = value;
  }
  return converted;
};

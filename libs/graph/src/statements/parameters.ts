import neo4j from "neo4j-driver";
import type { Params } from "../types.ts";
import { isPlainObject } from "./is-plain-object.ts";

const describe = (value: unknown): string =>
  typeof value === "object"
    ? "an object of a class"
    : value === undefined
      ? "undefined"
      : `a ${typeof value}`;

const convert = (value: unknown): unknown => {
  switch (typeof value) {
    case "number":
      // The driver sends every JavaScript number as a float; integers must say so.
      return Number.isSafeInteger(value) ? neo4j.int(value) : value;
    case "string":
    case "boolean":
      return value;
    case "object":
      if (value === null) return null;
      if (Array.isArray(value)) return list(value);
      if (value instanceof Int8Array) return value; // bytes, as the driver sends and answers them
      if (isPlainObject(value)) return parameters(value as Params); // a plain object is a map of values
      break;
    default:
  }
  throw new TypeError(`a statement parameter cannot be ${describe(value)}`);
};

/** The list itself where nothing in it has to be converted. */
const list = (values: readonly unknown[]): readonly unknown[] => {
  let converted: unknown[] | undefined;
  for (const [at, value] of values.entries()) {
    const sent = convert(value);
    if (sent !== value) (converted ??= [...values])[at] = sent;
  }
  return converted ?? values;
};

/**
 * The parameters of a statement as the driver wants them: safe integers become Cypher integers, other numbers
 * floats, at any depth; an Int8Array is a list of bytes. What needs no conversion is not copied.
 *
 * @throws TypeError on undefined, functions, symbols, bigints and objects of classes: a bug of the caller.
 */
export const parameters = (values: Params): Params => {
  let converted: Record<string, unknown> | undefined;
  for (const key of Object.keys(values)) {
    const value = values[key];
    const sent = convert(value);
    // The copy has every key of its own already, one called `__proto__` too: assigning changes no prototype.
    if (sent !== value) (converted ??= { ...values })[key] = sent;
  }
  return converted ?? values;
};

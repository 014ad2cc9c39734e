/** Values of the database as JSON: whole numbers and others are told apart. */
import neo4j from "neo4j-driver";

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** @throws Error for a value of another type: a data set holds texts, numbers, truth values, lists of them, and bytes. */
export const toJson = (value: unknown): unknown => {
  if (neo4j.isInt(value)) return { int: String(value) };
  if (value instanceof Int8Array) return { bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(toJson);
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (isMap(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJson(each)]));
  throw new Error("a value of a type that data sets do not have");
};

/** The reverse of `toJson`. */
export const fromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromJson);
  if (!isMap(value)) return value;
  if (typeof value["int"] === "string" && Object.keys(value).length === 1) return neo4j.int(value["int"]);
  if (typeof value["bytes"] === "string" && Object.keys(value).length === 1)
    return new Int8Array(Buffer.from(value["bytes"], "base64"));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fromJson(each)]));
};

/** A value of the chart. `values.yaml`, its schema and its tables are made of these. */
import type { Node } from "./template.ts";

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface ChartValue {
  /** keys from the root */
  readonly path: readonly string[];
  readonly default: Node;
  readonly schema: JsonSchema;
  readonly description: string;
}

export const value = (
  path: string,
  byDefault: Node,
  schema: JsonSchema,
  description: string,
): ChartValue => ({
  path: path.split("."),
  default: byDefault,
  schema,
  description,
});

export const text: JsonSchema = { type: "string" };
export const name: JsonSchema = { type: "string", minLength: 1 };
export const flag: JsonSchema = { type: "boolean" };
export const count: JsonSchema = { type: "integer", minimum: 1 };
export const anyMap: JsonSchema = { type: "object" };
export const texts: JsonSchema = { type: "object", additionalProperties: { type: "string" } };
export const list: JsonSchema = { type: "array", items: { type: "object" } };

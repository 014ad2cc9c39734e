import { z } from "zod";

export type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: z.ZodType, io: "input" | "output"): Json => {
  // What a transformation makes of a value has no schema; its input is then anything, and the rule says what.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
};

/** What a request may hold. */
export const input = (schema: z.ZodType): Json => schemaOf(schema, "input");

/** What a response holds. */
export const output = (schema: z.ZodType): Json => schemaOf(schema, "output");

/** For a field that may be absent `null` is the same; what may be anything may be that, too. */
export const orNull = (schema: Json): Json =>
  Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };

/** A schema that the document names. */
export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

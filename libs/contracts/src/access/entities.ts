import { z } from "zod";
import { text } from "../names.ts";

/** Any JSON object; callers may send what they like in it. */
export const freeObject = z.record(z.string(), z.unknown(), { error: "object expected" });

const properties = freeObject.nullish();
const type = text(1, 64);
const id = text(1, 256);

/** A subject or resource that is named completely (AuthZEN 1.0, section 5). */
export const Entity = z.object({ type, id, properties });

/** A subject or resource that is searched for: an id is ignored (AuthZEN 1.0, section 8). */
export const EntityType = z.object({ type, properties });

export const Action = z.object({ name: text(1, 128), properties });

/** What a policy may read besides the graph: members of this product, and any others for `$request.context`. */
export const Context = z.looseObject({
  input_params: freeObject.nullish(),
  policy_tags: z.array(z.string({ error: "string expected" }), { error: "array expected" }).nullish(),
});

export type Entity = z.output<typeof Entity>;
export type EntityType = z.output<typeof EntityType>;
export type Action = z.output<typeof Action>;
export type Context = z.output<typeof Context>;

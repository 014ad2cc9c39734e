import { z } from "zod";
import { namePattern, text } from "../names.ts";
import { optional } from "../optional.ts";
import { storableText } from "./value.ts";
import { codePoints } from "../values/code-points.ts";

const name = (min: number, max: number, pattern: RegExp, described: string) =>
  z
    .string({ error: "string expected" })
    .refine(
      (value) =>
        value.length <= max * 2 &&
        codePoints(value) >= min &&
        codePoints(value) <= max &&
        pattern.test(value),
      { error: `${min}-${max} ${described}` },
    );

const plainName = "letters, digits and underscores, no digit first";

/** A node type or an extra label. A leading underscore is well formed and refused later, with 422. */
export const nodeType = name(2, 64, namePattern, plainName);

/** A property name or a key of custom metadata. No name is reserved. */
export const propertyName = name(1, 128, namePattern, plainName);

/** A relationship type. A leading underscore is well formed and refused later, with 422. */
export const relationshipType = name(
  1,
  128,
  /^[A-Z_][A-Z0-9_]*$/,
  "upper-case letters, digits and underscores, a letter first",
);

/** How every operation names a node. */
export const nodeRefFields = {
  external_id: storableText(1, 256),
  type: nodeType,
  location: optional(text(2, 32)),
};

export const NodeRef = z.object(nodeRefFields, { error: "object expected" });

export type NodeRef = z.output<typeof NodeRef>;

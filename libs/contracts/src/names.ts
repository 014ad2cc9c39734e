import { z } from "zod";
import { codePoints } from "./values/code-points.ts";

/** Half of a surrogate pair is no character: it cannot be stored in UTF-8 and would come back as another one. */
export const wellFormed = { error: "text without lone surrogates expected" };

/** A string of `min` to `max` code points. */
export const text = (min: number, max: number) =>
  z
    .string({ error: "string expected" })
    .refine((value) => value.length <= max * 2 && codePoints(value) >= min && codePoints(value) <= max, {
      error: `${min}-${max} characters`,
    })
    .refine((value) => value.isWellFormed(), wellFormed);

/** Property, metadata and alias names. */
export const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Relationship types. */
export const relationshipTypePattern = /^[A-Z][A-Z0-9_]*$/;
/** Names of configuration records. */
export const recordNamePattern = /^[a-z][-a-z0-9]*[a-z0-9]$/;

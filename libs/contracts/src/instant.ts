import { z } from "zod";
import { toInstant } from "./values/to-instant.ts";

/** An RFC 3339 time of a request, normalised to UTC. */
export const instant = z.string({ error: "string expected" }).transform((value, context) => {
  const utc = toInstant(value);
  if (utc !== undefined) return utc;
  context.addIssue({ code: "custom", message: "RFC 3339 time with an offset expected", input: value });
  return z.NEVER;
});

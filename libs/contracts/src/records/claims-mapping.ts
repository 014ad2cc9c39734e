import { z } from "zod";
import { text } from "../names.ts";
import { codePoints } from "../values/code-points.ts";
import { isJsonObject } from "../values/is-json-object.ts";

/** `{selector}`: the name of a top-level claim. */
export const claimSelector = z.object({ selector: text(1, 200) }, { error: "object expected" });

export type ClaimsMapping = Readonly<Record<string, z.output<typeof claimSelector>>>;

const keyPattern = /^[a-zA-Z_][a-zA-Z0-9_]+$/;

/** What is wrong with a key; `__proto__` is a property name of no graph. */
const keyFault = (key: string): string | undefined => {
  if (codePoints(key) < 2 || codePoints(key) > 256 || !keyPattern.test(key))
    return "key: 2-256 letters, digits and underscores, no digit first";
  return key === "external_id" || key === "__proto__" ? "key is reserved" : undefined;
};

/**
 * Property name to claim. Written by hand instead of as a record schema so that
 * every own key is judged, `__proto__` included, which record schemas pass over in silence.
 */
export const claimsMapping = z.unknown().transform((value, context): ClaimsMapping => {
  const fault = (path: string[], message: string): void =>
    context.addIssue({ code: "custom", path, message, input: value });
  if (!isJsonObject(value)) {
    fault([], "object expected");
    return z.NEVER;
  }
  const entries: [string, z.output<typeof claimSelector>][] = [];
  for (const [key, entry] of Object.entries(value)) {
    const wrong = keyFault(key);
    if (wrong !== undefined) {
      fault([key.slice(0, 256)], wrong);
      continue;
    }
    const selector = claimSelector.safeParse(entry);
    if (selector.success) entries.push([key, selector.data]);
    else fault([key, "selector"], "1-200 characters");
  }
  return Object.fromEntries(entries);
});

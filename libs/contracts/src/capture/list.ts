import { z } from "zod";

/** A list of `min` to `max` items. The length is judged first: a list far too long is not looked through. */
export const listOf = <S extends z.ZodType>(item: S, min: number, max: number) => {
  const length = min === 0 ? `at most ${max} items` : `${min}-${max} items`;
  return z.array(z.unknown()).min(min, { error: length }).max(max, { error: length }).pipe(z.array(item));
};

/** Adds an issue to every item whose `type` an earlier one has. */
export const refuseRepeatedTypes = (
  items: unknown,
  context: z.core.$RefinementCtx,
  path: readonly PropertyKey[] = [],
): void => {
  if (!Array.isArray(items)) return;
  const seen = new Set<string>();
  (items as unknown[]).forEach((item, index) => {
    if (typeof item !== "object" || item === null || !("type" in item) || typeof item.type !== "string")
      return;
    if (seen.has(item.type))
      context.addIssue({ code: "custom", path: [...path, index, "type"], message: "given twice" });
    seen.add(item.type);
  });
};

import type { RecordDescription } from "./description.ts";

/**
 * What an update sends to set every field that may be absent back to what it is without a value: its default, or `""` where that
 * removes the value. An absent field would stay as it is.
 */
export const clearedFields = ({ fields }: Pick<RecordDescription, "fields">): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { update, default: standard, emptyRemoves }]) => {
      if (update === "ignored" || update === "fixed") return [];
      if (standard !== undefined) return [[name, standard] as const];
      return emptyRemoves === true ? [[name, ""] as const] : [];
    }),
  );

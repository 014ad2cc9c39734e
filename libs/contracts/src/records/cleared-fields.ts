import type { RecordDescription } from "./description.ts";

/**
 * What an update sends to clear every field that may be cleared: its default, `""` of a text, or `clearedBy`. A field that
 * it does not send would stay as it is. Secrets and fields that a record always has are not among them.
 */
export const clearedFields = ({ fields }: Pick<RecordDescription, "fields">): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { update, default: standard, emptyRemoves, clearedBy }]) => {
      if (update === "ignored" || update === "fixed") return [];
      if (standard !== undefined) return [[name, standard] as const];
      const empty = emptyRemoves === true ? "" : clearedBy;
      return empty === undefined ? [] : [[name, empty] as const];
    }),
  );

import { describe, expect, it } from "@jest/globals";
import { clearedFields } from "./cleared-fields.ts";
import { recordDescriptions } from "./all-records.ts";

const updatable = recordDescriptions.filter(({ update }) => update !== undefined);

describe("an update that clears every field", () => {
  it.each(updatable)("of $plural covers each field with a default or an empty value", (description) => {
    const cleared = clearedFields(description);
    for (const [name, field] of Object.entries(description.fields)) {
      const { update, default: standard, emptyRemoves, clearedBy } = field;
      const isUpdated = update !== "ignored" && update !== "fixed";
      const hasValue = standard !== undefined || emptyRemoves === true || clearedBy !== undefined;
      expect([name, name in cleared]).toEqual([name, isUpdated && hasValue]);
    }
  });

  it.each(updatable)("of $plural sends values that an update takes", (description) => {
    const parsed = description.update?.safeParse(clearedFields(description));
    const refused = (parsed?.error?.issues ?? []).map(({ path }) => String(path[0]));
    expect(refused.filter((name) => name in clearedFields(description))).toEqual([]);
  });
});

import { describe, expect, it } from "@jest/globals";
import { clearedFields, recordDescriptions } from "@ikg/contracts";
import { clearingAbsent } from "./put-content.ts";

describe("a former content that is put again", () => {
  it.each(recordDescriptions)("clears the fields of $plural that it does not have", (description) => {
    expect(clearingAbsent(description, {})).toEqual(clearedFields(description));
  });

  it.each(recordDescriptions)("keeps the fields of $plural that it has", (description) => {
    const content = Object.fromEntries(Object.keys(description.fields).map((name) => [name, "former"]));
    expect(clearingAbsent(description, content)).toEqual(content);
  });
});

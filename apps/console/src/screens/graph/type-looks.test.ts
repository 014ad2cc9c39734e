import { describe, expect, it } from "@jest/globals";
import { colorCount, shapes, typeLooks } from "./type-looks.ts";

const names = Array.from({ length: colorCount * shapes.length }, (_, index) => `Type${index}`);

describe("looks of types", () => {
  it("differ for as many types as there are looks", () => {
    const look = typeLooks(names);
    expect(new Set(names.map((name) => JSON.stringify(look(name)))).size).toBe(names.length);
  });

  it("are those of the name in whatever order the types come", () => {
    const [one, other] = [typeLooks(names), typeLooks(names.toReversed())];
    expect(names.map(one)).toEqual(names.map(other));
  });

  it.each(["Person", "constructor", "__proto__", "", "𝒳"])(
    "exist for a type that is not known: %j",
    (type) => {
      expect(typeLooks([])(type)).toEqual(typeLooks(["Other"])(type));
      expect(typeLooks([])(type).color).toMatch(/^--type-[1-7]$/);
    },
  );
});

import { describe, expect, it } from "@jest/globals";
import { makeData, sizes } from "./data.ts";

describe("makeData", () => {
  const data = makeData(1);

  it("has the sizes that the report states", () => {
    expect(data.nodes).toHaveLength(sizes.persons + sizes.documents + sizes.departments);
    expect(data.questions).toHaveLength(sizes.questions);
  });

  it("asks questions of which half are allowed", () => {
    const allowed = data.questions.filter(({ expected }) => expected).length;
    expect(Math.abs(allowed / sizes.questions - 0.5)).toBeLessThan(0.02);
  });

  it("repeats itself", () => {
    expect(JSON.stringify(makeData(1)) === JSON.stringify(data)).toBe(true);
    expect(JSON.stringify(makeData(2)) === JSON.stringify(data)).toBe(false);
  });
});

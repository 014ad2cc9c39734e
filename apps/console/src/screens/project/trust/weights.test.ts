import { describe, expect, it } from "@jest/globals";
import { placeErrors } from "../form/field-errors.ts";
import { weightFields, weightsOf, weightValues } from "./weights.ts";

const values = weightValues([
  { name: "ORIGIN", weight: 0.5 },
  { name: "VERIFICATION", weight: 1 },
]);

describe("the weights of a trust score profile", () => {
  it("come back as they were, without the dimensions that are left out", () => {
    expect(weightsOf(values)).toEqual([
      { name: "VERIFICATION", weight: 1 },
      { name: "ORIGIN", weight: 0.5 },
    ]);
  });

  it("have their errors at their fields", () => {
    const sent = { ...values, ORIGIN: "2" };
    expect(placeErrors(["dimensions[1].weight: 0-1 expected"], weightFields, sent)).toEqual({
      fields: { ORIGIN: "0-1 expected" },
      rest: [],
    });
  });

  it("are refused where all are emptied, and not kept as they were", () => {
    const sent = weightValues([]);
    expect(weightsOf(sent)).toHaveLength(5);
    expect(placeErrors(["dimensions: at least one weight above 0"], weightFields, sent)).toEqual({
      fields: { VALIDITY: "dimensions: at least one weight above 0" },
      rest: [],
    });
  });
});

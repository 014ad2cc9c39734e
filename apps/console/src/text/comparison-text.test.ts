import { expect, it } from "@jest/globals";
import { comparisonText } from "./comparison-text.ts";

it.each([
  [{ attribute: "a.external_id", operator: "=", value: "$a" }, 'a.external_id = "$a"'],
  [{ attribute: { date: "today" }, operator: "<", value: 3 }, '{"date":"today"} < 3'],
  [{ attribute: "$token.sub", operator: "IS NULL" }, "$token.sub IS NULL"],
  [{ attribute: "$token.acr", operator: "=", value: "low", negated: true }, 'NOT ($token.acr = "low")'],
  [{ operator: "OR" }, "one of its comparisons"],
  [{ operator: "NOT" }, "not all of its comparisons"],
])("%j is written as %s", (comparison, text) => {
  expect(comparisonText(comparison)).toBe(text);
});

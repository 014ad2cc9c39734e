import { expect, it } from "@jest/globals";
import { objectError } from "../../text/json.ts";
import { emptySample, sampleOf } from "./sample.ts";

it("is what was typed, and nothing where nothing was", () => {
  expect(sampleOf(emptySample)).toBeUndefined();
  expect(sampleOf({ subject: "ann", resource: "d1", params: '{"level": 3}', claims: "{}" })).toEqual({
    subject: { id: "ann" },
    resource: { id: "d1" },
    input_params: { level: 3 },
    token: {},
  });
});

it.each(["[1]", "null", "{", "3"])("holds objects alone, so not %s", (text) => {
  expect(objectError(text)).toBeDefined();
  expect(sampleOf({ ...emptySample, params: text })).toBeUndefined();
});

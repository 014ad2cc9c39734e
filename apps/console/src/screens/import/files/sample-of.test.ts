import { expect, it } from "@jest/globals";
import { browserFile, profileTable } from "@ikg/imports/browser";
import { sampleOf } from "./sample-of.ts";

it.each([
  ["people.csv", "id,constructor\n1,x\n2,y\n", ["1", "x"]],
  ["people.ndjson", '\n{"id": 1}\n{"id": 2, "constructor": "y"}\n', ["1", ""]],
])("the first row of %s has its own values alone", async (name, text, sample) => {
  const file = browserFile(new File([text], name));
  expect(await sampleOf(file, {}, await profileTable(file))).toEqual(sample);
});

import { expect, it } from "@jest/globals";
import { z } from "zod";
import { DiagnosticList, formatDiagnostic } from "./diagnostic.ts";
import { readSource } from "./source.ts";
import { strictObject } from "./strict-object.ts";
import { validate } from "./validate.ts";

it("an unknown key is named as it is written, whatever its characters", () => {
  const faults = new DiagnosticList();
  const source = readSource("a.yaml", "a: 1\n$$: 2\n", faults);
  if (source === undefined) throw new Error("the text is invalid");
  validate(strictObject({ a: z.number() }), source, source.value, faults);
  expect(faults.list.map(formatDiagnostic)).toEqual(['a.yaml:2:1: unknown key "$$"; accepted: a']);
});

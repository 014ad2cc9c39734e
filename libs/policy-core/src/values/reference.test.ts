import { describe, expect, it } from "@jest/globals";
import { bindValues } from "./bind.ts";
import {
  formKey,
  RequiredInputs,
  readReference,
  type Reference,
  referenceKey,
  referenceOf,
} from "./reference.ts";

const parameter = (name: string, ...path: string[]): Reference => {
  const reference = referenceOf(name, path, "kbac");
  if ("fault" in reference) throw new Error(reference.fault);
  return reference;
};

describe("the key of a reference", () => {
  it("differs for $`a.b` and $a.b, in back-quotes and with members", () => {
    const references = [
      parameter("a.b"),
      parameter("a", "b"),
      parameter("a.b", "c"),
      parameter("a", "b.c"),
      parameter("a", "b", "c"),
      parameter("a%2Eb"),
    ];
    expect(new Set(references.map(referenceKey)).size).toBe(references.length);
    expect(referenceKey(parameter("a#order"))).not.toBe(formKey(parameter("a"), "order"));
    expect(readReference("$a.b", "kbac")).toEqual(parameter("a", "b"));
  });

  it("binds each to its own value", () => {
    const needs = new RequiredInputs();
    needs.add(parameter("a.b"));
    needs.add(parameter("a", "b"));
    const { parameters: p } = bindValues(needs, { inputParams: { "a.b": "quoted", a: { b: "member" } } });
    expect(p[referenceKey(parameter("a.b"))]).toBe("quoted");
    expect(p[referenceKey(parameter("a", "b"))]).toBe("member");
  });
});

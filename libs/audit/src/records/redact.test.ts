import { describe, expect, it } from "@jest/globals";
import { canonical } from "../chain/canonical.ts";
import { redactData } from "./redact.ts";

const all = { inputParams: "values", values: "full" } as const;

describe("what a record keeps", () => {
  it("cuts long texts and says so", () => {
    const { name } = redactData({ name: "a".repeat(2_000) }, all);
    expect(name).toBe(`${"a".repeat(1024)}… (cut, 2000 characters)`);
    expect(redactData({ name: "a".repeat(1024) }, all)).toEqual({ name: "a".repeat(1024) });
  });

  it("can always be written canonically", () => {
    const hostile = redactData(
      { a: "\ud800", b: [Number.NaN, undefined, { "\udc00": `${"a".repeat(1023)}😀` }], c: undefined },
      all,
    );
    expect(() => canonical(hostile)).not.toThrow();
  });

  it("keeps values of properties only when told", () => {
    const data = { count: 1, properties: ["email"], values: { email: "a@b.example" } };
    expect(redactData(data, { ...all, values: "names" })).toEqual({ count: 1, properties: ["email"] });
    expect(redactData(data, all)).toEqual(data);
  });

  it("keeps input parameters as values, as hashes or not at all, in batches as well", () => {
    const data = {
      input_params: { a: 1 },
      evaluations: [{ decision: true, inputs: { $token: { sub: "s" } } }],
    };
    expect(redactData(data, all)).toEqual(data);
    expect(redactData(data, { ...all, inputParams: "none" })).toEqual({ evaluations: [{ decision: true }] });
    const hashed = JSON.stringify(redactData(data, { ...all, inputParams: "hashes" }));
    expect(hashed).toMatch(/"a":"sha256:[0-9a-f]{64}"/);
    expect(hashed).toMatch(/"\$token":"sha256:[0-9a-f]{64}"/);
    expect(hashed).not.toContain('"sub"');
  });
});

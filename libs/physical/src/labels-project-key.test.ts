import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { newProjectKey, projectKey } from "./labels.ts";

describe("projectKey", () => {
  it.each(["abcdefgh", "01234567", ""])("takes '%s'", (text) => expect(projectKey(text)).toBe(text));

  it.each(["abcdefg", "abcdefghi", "ABCDEFGH", "abcd/fgh", "abcd`fgh", "abcdefgh\n"])(
    "refuses '%s'",
    (text) => expect(() => projectKey(text)).toThrow("not a project key"),
  );
});

describe("newProjectKey", () => {
  it("makes keys that projectKey takes, from every byte", () => {
    for (let byte = 0; byte < 256; byte++) {
      const key = newProjectKey(new Uint8Array(8).fill(byte));
      expect(projectKey(key)).toBe(key);
    }
    expect(newProjectKey(randomBytes(8))).not.toBe(newProjectKey(randomBytes(8)));
  });

  it("refuses too little randomness", () => {
    expect(() => newProjectKey(new Uint8Array(7))).toThrow("8 random bytes");
  });
});

import { describe, expect, it } from "@jest/globals";
import { displayText } from "./display-text.ts";

describe("texts of others", () => {
  it.each([
    ["<b>bold</b>", "<b>bold</b>"],
    ["", "(empty)"],
    ["a\u0000b", "a\u2400b"],
    ["line\nnext", "line\u240Anext"],
    ["gpj.\u202Eexe", "gpj.⟨U+202E⟩exe"],
    ["👩‍👩‍👧", "👩‍👩‍👧"],
    ["__proto__", "__proto__"],
  ])("%j is shown as %j", (text, expected) => {
    expect(displayText(text, 100)).toBe(expected);
  });

  it("are cut between characters", () => {
    expect(displayText("😀".repeat(10_000), 3)).toBe("😀😀😀…");
    expect(displayText("abc", 3)).toBe("abc");
  });
});

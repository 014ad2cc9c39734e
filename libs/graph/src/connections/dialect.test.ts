import { describe, expect, it } from "@jest/globals";
import { isOldVersion, languagePrefix } from "./dialect.ts";

describe("languagePrefix", () => {
  it.each([
    ["5.26.31", ""],
    ["5.26.0-drop1", ""],
    ["2025.01.0", ""],
    ["2025.05.1", ""],
    ["2025.06.0", "CYPHER 5 "],
    ["2026.09.0", "CYPHER 5 "],
    ["2027.01", "CYPHER 5 "],
    ["", ""],
  ])("%s: '%s'", (version, prefix) => expect(languagePrefix(version)).toBe(prefix));
});

describe("isOldVersion", () => {
  it.each([
    ["4.4.38", true],
    ["5.25.1", true],
    ["5.26.0", false],
    ["5.26.31", false],
    ["2025.01.0", false],
    ["", true],
    ["undefined", true],
  ])("%s: %s", (version, old) => expect(isOldVersion(version)).toBe(old));
});

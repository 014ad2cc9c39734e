import { describe, expect, it } from "@jest/globals";
import { recordLabel, recordLabels, versionLabel } from "./records.ts";
import { systemTypes } from "./labels.ts";

describe("labels of records", () => {
  it("are distinct from each other and from the types of graph nodes that the platform writes", () => {
    const labels = [recordLabel, versionLabel, ...Object.values(recordLabels), ...Object.values(systemTypes)];
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.every((label) => /^_[A-Z][A-Za-z]+$/.test(label))).toBe(true);
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { generatedFiles } from "../../generate/generate.ts";

describe("the types of the client", () => {
  it("are those of the contract (npm run generate writes them anew)", async () => {
    const files = await generatedFiles();
    for (const [name, text] of files) {
      const file = new URL(name, import.meta.url);
      if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text);
      expect(readFileSync(file, "utf8")).toBe(text);
    }
    expect([...files.keys()].toSorted()).toEqual(["problems.ts", "records.ts", "wire.ts"]);
  });
});

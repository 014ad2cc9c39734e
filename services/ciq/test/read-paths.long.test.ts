import { describe, expect, it } from "@jest/globals";
import { useWards } from "./read-wards.ts";
import { nodePaths, readPaths, relationshipPaths } from "./read-paths.ts";

useWards();

describe("what a path shows by itself", () => {
  it.each(nodePaths.flat())("%s", async (path, expected) => {
    expect(await readPaths([path])).toEqual(expected);
  });

  it.each(relationshipPaths.flat())("%s", async (path, expected) => {
    expect(await readPaths([path], "relationships")).toEqual(expected);
  });
});

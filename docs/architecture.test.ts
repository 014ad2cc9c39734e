import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

const root = new URL("../", import.meta.url);
/** The table of packages, which stands before the folders of one of them. */
const [page = ""] = readFileSync(new URL("architecture.md", import.meta.url), "utf8").split("\n### ");

describe("the map of packages", () => {
  it("has a row for every package, and none for others", () => {
    const packages = globSync("{libs,services,apps}/*/package.json", { cwd: root })
      .concat(globSync("{stack,e2e,bench}/package.json", { cwd: root }))
      .map((file) => file.replace("/package.json", ""));
    const rows = [...page.matchAll(/^\| `([a-z0-9/-]+)` +\|/gm)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(packages));
  });
});

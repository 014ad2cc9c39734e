/** Packs and unpacks megabytes; every run checks that the targets of links are in the repository. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { linksOf } from "../documentation/links.ts";
import { repository } from "../repository.ts";
import { packDocs } from "./docs.ts";

/** The archive and, next to it, what it holds. */
let folder: string;
let root: string;
let entries: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ikg-release-docs-"));
  root = join(folder, "docs-1.2.3");
  const options = { cwd: repository, signal: new AbortController().signal };
  const archive = await packDocs(folder, "1.2.3", options);
  const unpacked = execFileSync("tar", ["-xvzf", archive], { cwd: folder, encoding: "utf8" });
  entries = unpacked.trim().split("\n");
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the archive of the documentation", () => {
  it("has a folder of its own", () => {
    expect(new Set(entries.map((name) => name.split("/")[0]))).toEqual(new Set(["docs-1.2.3"]));
  });

  it("has the target of every relative link of its pages", () => {
    const pages = globSync("**/*.md", { cwd: root });
    expect(pages).toEqual(
      expect.arrayContaining(["CHANGELOG.md", "README.md", "SECURITY.md", "docs/operations.md"]),
    );
    const links = pages.flatMap((page) =>
      linksOf(readFileSync(join(root, page), "utf8")).map((target) => ({ page, target })),
    );
    expect(links.length).toBeGreaterThan(500);
    const missing = links.filter(({ page, target }) => !existsSync(join(root, dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it("has the license, the dashboards, and examples with their hidden files", () => {
    for (const file of [
      "LICENSE",
      "docs/audit-records.schema.json",
      "examples/policy-repo/.github/workflows/policies.yaml",
      "monitoring/grafana/decisions.json",
    ])
      expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  });
});

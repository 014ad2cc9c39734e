import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { problems } from "@ikg/contracts";
import { formatText } from "../format-text.ts";
import { inRepository, repository } from "../repository.ts";
import { isLongRun } from "../testing/test-environment.ts";
import { linksOf } from "./links.ts";
import { tables, withTables } from "./tables.ts";

const folder = inRepository("docs");
const pages = [
  ...readdirSync(folder).filter((name) => name.endsWith(".md")),
  "decisions/README.md",
  "../CONTRIBUTING.md",
];

/** Every source file of the product. */
const sources = globSync("{libs,services}/**/*.ts", {
  cwd: repository,
  exclude: (path) => /(^|\/)node_modules$/.test(path),
})
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => readFileSync(inRepository(file), "utf8"));

const isWritten = process.env["UPDATE_DOCS"] === "1";

/** Pages as they are before they are formatted: without what aligns columns and breaks the lines of JSON. */
const withoutAlignment = (page: string): string =>
  page
    .replaceAll(/ +\|/g, " |")
    .replaceAll(/\| +/g, "| ")
    .replaceAll(/-{3,}/g, "---")
    .replaceAll(/```json\n[^]*?```/g, (block) => block.replaceAll(/\s+/g, ""));

/**
 * The page with up-to-date tables. Formatting a large page takes a second, and the check of formats does it too: in
 * `npm test` a page is current where nothing but the width of columns and the lines of JSON differ.
 */
const currentPage = async (name: string, page: string): Promise<string> => {
  const made = withTables(page);
  const isCurrent = withoutAlignment(made) === withoutAlignment(page);
  return isCurrent && !isWritten && !isLongRun() ? page : formatText(name, made);
};

describe("the documentation", () => {
  it.each(pages)("%s has up-to-date tables (npm run generate writes them anew)", async (name) => {
    const file = join(folder, name);
    const page = readFileSync(file, "utf8");
    const current = await currentPage(name, page);
    if (isWritten) writeFileSync(file, current);
    expect(readFileSync(file, "utf8")).toBe(current);
  });

  it("shows every table somewhere", () => {
    const all = pages.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
    expect(Object.keys(tables).filter((name) => !all.includes(`<!-- table: ${name} -->`))).toEqual([]);
  });

  it("describes no error that is never answered", () => {
    const uses = (code: string): number => sources.filter((source) => source.includes(`"${code}"`)).length;
    expect(Object.keys(problems).filter((code) => uses(code) === 0)).toEqual([]);
  });

  it("links to nothing that is not there", () => {
    const missing = globSync(["*.md", "docs/**/*.md"], { cwd: repository }).flatMap((file) =>
      linksOf(readFileSync(inRepository(file), "utf8"))
        .filter((target) => !existsSync(inRepository(dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

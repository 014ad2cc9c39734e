import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { problems } from "@ikg/contracts";
import { formatText } from "../stack/src/format-text.ts";
import { linksOf } from "./links.ts";
import { tables, withTables } from "./tables.ts";

const here = dirname(fileURLToPath(import.meta.url));
const pages = [
  ...readdirSync(here).filter((name) => name.endsWith(".md")),
  "decisions/README.md",
  "../CONTRIBUTING.md",
];

/** Every source file of the product. */
const sources = ["libs", "services"].flatMap((folder) =>
  readdirSync(join(here, "..", folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(here, "..", folder, name), "utf8")),
);

describe("the documentation", () => {
  it.each(pages)("%s has up-to-date tables (npm run generate writes them anew)", async (name) => {
    const file = join(here, name);
    const page = readFileSync(file, "utf8");
    const current = await formatText(name, withTables(page));
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, current);
    expect(readFileSync(file, "utf8")).toBe(current);
  });

  it("shows every table somewhere", () => {
    const all = pages.map((name) => readFileSync(join(here, name), "utf8")).join("\n");
    expect(Object.keys(tables).filter((name) => !all.includes(`<!-- table: ${name} -->`))).toEqual([]);
  });

  it("describes no error that is never answered", () => {
    const uses = (code: string): number => sources.filter((source) => source.includes(`"${code}"`)).length;
    expect(Object.keys(problems).filter((code) => uses(code) === 0)).toEqual([]);
  });

  it("links to nothing that is not there", () => {
    const root = join(here, "..");
    const missing = globSync(["*.md", "docs/**/*.md"], { cwd: root }).flatMap((file) =>
      linksOf(readFileSync(join(root, file), "utf8"))
        .filter((target) => !existsSync(join(root, dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

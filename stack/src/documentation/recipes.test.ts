/** Recipes: a page of docs/recipes shows its file of examples/recipes as it stands, without the comment at its head. */
import { globSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { repository, textInRepository } from "../repository.ts";

const pages = globSync("docs/recipes/*.md", { cwd: repository })
  .map((path) => path.slice("docs/recipes/".length))
  .filter((name) => name !== "README.md");
const files = globSync("examples/recipes/*.{mjs,sh}", { cwd: repository }).toSorted();

const head = /^(\/\*\*.*\*\/\n|#!.*\n#.*\n)/;

describe("recipes", () => {
  it.each(files)("%s is shown by the page that it names", (file) => {
    const text = textInRepository(file);
    const [comment = ""] = head.exec(text) ?? [];
    const [page = "none"] = /docs\/recipes\/[\w-]+\.md/.exec(comment) ?? [];
    expect(textInRepository(page)).toContain(`\n${text.slice(comment.length).trim()}\n\`\`\`\n`);
  });

  it("are all in the index", () => {
    expect(pages.length).toBeGreaterThan(5);
    const index = textInRepository("docs/recipes/README.md");
    expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  it.each(pages)("%s says what happens when it goes wrong", (name) => {
    const text = textInRepository(`docs/recipes/${name}`);
    for (const word of ["**Denial**", "**Outage**", "**A usual mistake**"]) expect(text).toContain(word);
    expect(text.split("\n").length).toBeLessThan(80);
  });
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { manPage } from "../../../apps/cli/documentation/man-page.ts";
import { markdownReference } from "../../../apps/cli/documentation/markdown.ts";
import { describeProgram } from "../../../apps/cli/src/program/describe-program.ts";
import { formatText } from "../format-text.ts";
import { inRepository } from "../repository.ts";

const page = inRepository("docs", "cli.md");
const manual = inRepository("apps", "cli", "man", "ikg.1");

const isUpdate = process.env["UPDATE_DOCS"] === "1";

describe("the documentation of the command line (npm run generate writes it anew)", () => {
  it("docs/cli.md has every command as it is", async () => {
    const current = readFileSync(page, "utf8");
    const [before = "", rest = ""] = current.split("<!-- commands -->");
    const [, after = ""] = rest.split("<!-- end of commands -->");
    const reference = markdownReference(await describeProgram());
    const text = await formatText(
      "cli.md",
      `${before}<!-- commands -->\n\n${reference}\n<!-- end of commands -->${after}`,
    );
    if (isUpdate) writeFileSync(page, text);
    expect(readFileSync(page, "utf8")).toBe(text);
  });

  it("the man page has every command as it is", async () => {
    const text = manPage(await describeProgram());
    if (isUpdate) {
      mkdirSync(dirname(manual), { recursive: true });
      writeFileSync(manual, text);
    }
    expect(readFileSync(manual, "utf8")).toBe(text);
  });

  it("every command has examples that call it", async () => {
    const { commands } = await describeProgram();
    expect(commands.length).toBeGreaterThan(30);
    for (const { path, module } of commands) {
      expect(module.examples.length).toBeGreaterThan(0);
      for (const { command } of module.examples) expect(command).toContain(`ikg ${path}`);
    }
  });
});

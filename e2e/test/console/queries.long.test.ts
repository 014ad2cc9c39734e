import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "@ikg/client/testing";
import { runIkg } from "../../src/cli/run-ikg.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import {
  countsOf,
  createLargeArchive,
  fillParameters,
  openQueries,
  openRun,
  run,
} from "../../src/console/archive.ts";
import { consoleUrl, describeInBrowser, keepScreenshot, openTab, signIn } from "../../src/console/browser.ts";
import { pressTabTo } from "../../src/console/keyboard.ts";
import { isTooWide, problemsOf, tab } from "../../src/console/policy-editor.ts";
import { environment } from "../../src/environment.ts";

/** Stored queries: as their authors, their users and their readers meet them. */
let project: TestProject;

beforeAll(async () => {
  project = await createLargeArchive();
}, 60_000);
afterAll(() => project?.remove());

const narrow = { viewport: { width: 390, height: 844 } };

describeInBrowser("a query of the console", () => {
  it("is read page by page, and nothing is missing or twice", async () => {
    const { page, problems } = await openRun("books-of-reader", project);
    await fillParameters(page, { reader: "ann" });
    await run(page);
    await page.getByRole("status").getByText("100 rows so far").waitFor();
    expect(await page.getByRole("button", { name: "Policy test" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Load the next page" }).click();
    await page.getByRole("status").getByText("120 rows", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Row", exact: true }).click();
    expect(await page.getByRole("button", { name: "Load the next page" }).count()).toBe(0);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("that returns nothing says which filter or part of the pattern leaves no row", async () => {
    const { page, problems } = await openRun("books-of-reader", project);
    await fillParameters(page, { reader: "nobody" });
    await run(page);
    await page.getByRole("heading", { name: "No row" }).waitFor();
    await page.getByText("No row is left after the filter").waitFor();
    await page.locator("mark").first().waitFor();
    expect(await page.locator("mark").allInnerTexts()).toEqual([expect.stringContaining('"$reader"')]);
    // The filter of the policy is looked at by a click.
    await page.getByRole("button", { name: "Show it in the text" }).first().click();
    await page.getByText("Filter of the policy may-lend, version 1").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "query-none");
    await fillParameters(page, {});
    await run(page);
    await page.getByRole("alert").getByText("Not run").waitFor();
    await page.getByLabel("Parameters, as JSON").fill("[1");
    await run(page);
    await page.getByText("Enter a JSON object").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("about a person runs with a token, says what a stronger one needs, and becomes a test with its claims", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ikg-queries-"));
    try {
      const { page, problems, requests } = await openRun("own-rooms", project);
      const now = Math.floor(Date.now() / 1_000);
      const old = await project.signIn("ann", { auth_time: now - 3_600 });
      const token = await project.signIn("ann", { auth_time: now - 10 });
      await page.getByLabel("Token of the person").fill(old);
      await run(page);
      await page.getByText("The token does not satisfy the token filter").waitFor();
      await page.getByText("Please sign in again.").first().waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await keepScreenshot(page, "query-step-up");
      await page.getByLabel("Token of the person").fill(token);
      await run(page);
      await page.getByRole("cell", { name: "maps" }).waitFor();
      const waiting = page.waitForEvent("download");
      await page.getByRole("button", { name: "Policy test" }).click();
      await (await waiting).saveAs(join(folder, "rooms.ikg.json"));
      await page.getByText("The claims of the token are in the file").waitFor();
      const { code, output } = await runIkg(["test", folder], {
        variables: { IKG_URL: environment().base_url, IKG_TOKEN: environment().service_account_token },
      });
      expect([code, output]).toEqual([0, expect.stringContaining("1 passed")]);
      expect([page.url(), ...requests()].filter((url) => url.includes(token))).toEqual([]);
      expect(await page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")).not.toContain(
        token,
      );
      expect(problems()).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 90_000);

  it("that deletes asks for its name, is sent once, and says what it wrote", async () => {
    const { page, problems, requests } = await openRun("lend", project);
    await page.getByText("Running it changes the graph").waitFor();
    await fillParameters(page, { reader: "ann", book: "b007", number: "l1" });
    await run(page);
    const confirm = page.getByRole("alertdialog");
    await confirm.getByText("book.property.note").waitFor();
    expect(await confirm.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "query-confirm");
    await confirm.getByLabel("Type its name to confirm").fill("lend");
    await confirm.getByRole("button", { name: "Run" }).click();
    await page.getByText("What it wrote:").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "loan" }).innerText()).toBe("loan: 1 written");
    expect(await page.getByRole("cell", { name: "l1" }).count()).toBe(1);
    expect(requests().filter((url) => url.endsWith("/ciq/v1/execute"))).toHaveLength(1);
    const node = await project.admin.graph.node({ type: "Loan", external_id: "l1" });
    expect(node.external_id).toBe("l1");
    await keepScreenshot(page, "query-written");
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is edited as JSON with what is wrong at its place, saved, compared, rolled back and removed", async () => {
    const name = "to-change";
    const { id: policy_id } = await project.admin.policies.get("may-lend");
    await project.admin.queries.create({
      name,
      policy_id,
      status: "ACTIVE",
      query: { nodes: ["book.external_id"] },
    });
    const { page, problems } = await openQueries(`/queries/${name}`, project);
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const editor = page.getByRole("textbox", { name: "Query as JSON" });
    await editor.click();
    const type = async (text: string): Promise<void> => {
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    };
    await type('{\n  "nodes": [\n    "book.external_id",\n    "reader.property.level"\n  ]\n}');
    const error = problemsOf(page).getByRole("listitem").filter({ hasText: "Error" });
    await error.getByRole("button", { name: "line 4, column 5" }).click();
    await page.locator(".cm-lintRange-error").waitFor();
    await keepScreenshot(page, "query-json");
    await type('{"nodes": ["book.external_id", "book.property.level"]}');
    await problemsOf(page).getByText("No problem found").waitFor();
    await page.getByRole("button", { name: "Save…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".cm-insertedLine, .cm-changedLine").first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "query-save");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved. It is live").waitFor();
    await tab(page, "Preview");
    await page
      .getByRole("region", { name: /^Cypher: / })
      .first()
      .waitFor();
    await page.getByText("Measure it for a sample").click();
    expect(await page.getByLabel("As the application").locator("option").count()).toBeGreaterThan(0);
    await page.getByLabel("Parameters", { exact: true }).fill("[1]");
    await page.getByText("Enter a JSON object").waitFor();
    expect(await page.getByRole("button", { name: "Measure" }).isDisabled()).toBe(true);
    await page.getByLabel("Parameters", { exact: true }).fill("");
    await page.getByRole("button", { name: "Measure" }).click();
    await page
      .getByRole("region", { name: "Statement: read" })
      .getByText(/^\d+ rows?, [\d,]+ hits$/)
      .first()
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "query-preview");
    await page.getByLabel("Parameters", { exact: true }).fill('{"kept": 1}');
    await tab(page, "Versions");
    await tab(page, "Preview");
    expect(await page.getByLabel("Parameters", { exact: true }).inputValue()).toBe('{"kept": 1}');
    await tab(page, "Versions");
    await page.getByRole("button", { name: "Roll back to it" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await page.getByText("Rolled back to version 1").waitFor();
    expect(JSON.parse((await project.admin.queries.get(name)).query)).toEqual({
      nodes: ["book.external_id"],
    });
    await keepScreenshot(page, "query-versions");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    const confirm = page.getByRole("alertdialog");
    await confirm.getByLabel("Type its name to confirm").fill(name);
    await confirm.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("link", { name: "books-of-reader" }).waitFor();
    await page.getByRole("link", { name }).waitFor({ state: "detached" });
    expect(problems()).toEqual([]);
  }, 120_000);

  it("never overwrites unseen what another author has saved", async () => {
    const { page, problems } = await openQueries("/queries/own-rooms", project);
    await page.getByLabel("Display name").fill("Mine");
    await project.admin.queries.update("own-rooms", (record) => ({ ...record, display_name: "Theirs" }));
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    const note = page.getByRole("alert").filter({ hasText: "This query was changed while you edited it" });
    await note.waitFor();
    await note.getByRole("button", { name: "Discard my draft" }).click();
    await page.getByRole("heading", { name: "Theirs" }).waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is shown to a reader, who cannot change it, and has no key to run it with but one that is pasted", async () => {
    const account = await newAccount("viewer");
    try {
      const { page, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/queries?project=${encodeURIComponent(project.id)}`);
      await signIn(page, account.token);
      await page.getByRole("link", { name: "books-of-reader" }).waitFor();
      expect(await page.getByRole("link", { name: /New query/ }).count()).toBe(0);
      await page.getByRole("link", { name: "books-of-reader" }).click();
      await page.getByText("reader.external_id", { exact: true }).first().waitFor();
      for (const name of ["Save…", "Remove", "Add a comparison", /^Add /])
        expect([name, await page.getByRole("button", { name }).count()]).toEqual([name, 0]);
      await tab(page, "Run");
      await page.getByLabel("Paste an application key").waitFor();
      expect(await page.getByRole("button", { name: "Create a key valid for one hour" }).count()).toBe(0);
      await tab(page, "Versions");
      await page.getByRole("region", { name: "Versions", exact: true }).waitFor();
      expect(await page.getByRole("button", { name: "Roll back to it" }).count()).toBe(0);
      expect(problems()).toEqual([]);
    } finally {
      await account.remove();
    }
  }, 60_000);

  it("works 390 points wide: list, form, run", async () => {
    const { page, problems } = await openRun("books-of-reader", project, narrow);
    await fillParameters(page, { reader: "bob" });
    await run(page);
    await page.getByRole("status").getByText("2 rows").waitFor();
    await page.locator("mark").first().waitFor();
    expect([await isTooWide(page), await accessibilityFindings(page)]).toEqual([false, []]);
    await keepScreenshot(page, "query-run-390");
    await tab(page, "Query");
    await page.getByRole("button", { name: "Add book.property.*" }).waitFor();
    expect([await isTooWide(page), await accessibilityFindings(page)]).toEqual([false, []]);
    await keepScreenshot(page, "query-form-390");
    await page.getByRole("link", { name: "All queries" }).click();
    await page.getByRole("region", { name: "Queries", exact: true }).waitFor();
    expect([await isTooWide(page), await accessibilityFindings(page)]).toEqual([false, []]);
    await keepScreenshot(page, "queries-390");
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is written and run by keyboard alone", async () => {
    const { page, problems } = await openRun("books-of-reader", project);
    await page.evaluate("document.getElementById('main').focus()");
    await pressTabTo(page, "All queries");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "New query", exact: true }).waitFor();
    await page.evaluate("document.getElementById('main').focus()");
    await pressTabTo(page, "New query under may-lend");
    await page.keyboard.press("Enter");
    await pressTabTo(page, "Add book.external_id");
    await page.keyboard.press("Enter");
    await pressTabTo(page, "Name");
    await page.keyboard.type("by-keyboard");
    await problemsOf(page).getByText("No problem found").waitFor();
    await page.evaluate("document.getElementById('main').focus()");
    await pressTabTo(page, "Create…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await pressTabTo(page, "Save");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "by-keyboard", exact: true }).waitFor();
    await page.getByRole("tab", { name: "Query", exact: true }).waitFor();
    await page.evaluate("document.getElementById('main').focus()");
    await pressTabTo(page, "Query");
    await page.keyboard.press("ArrowRight");
    await pressTabTo(page, "Run", 40);
    // The tab has the name of the button.
    await page.getByRole("form", { name: "Run" }).getByRole("button", { name: "Run" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("100 rows so far").waitFor();
    expect(await countsOf(page)).toHaveLength(2);
    expect(problems()).toEqual([]);
  }, 90_000);
});

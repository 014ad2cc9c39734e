import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "@ikg/client/testing";
import { runIkg } from "../../src/cli/run-ikg.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import {
  countsOf,
  createArchive,
  fillParameters,
  openQueries,
  openRun,
  run,
} from "../../src/console/archive.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { problemsOf } from "../../src/console/policy-editor.ts";
import { environment } from "../../src/environment.ts";

/** What may be read or written: stored queries listed, written from what their policy allows, and run. */
let project: TestProject;

beforeAll(async () => {
  project = await createArchive();
}, 60_000);
afterAll(() => project?.remove());

describeInBrowser("the queries", () => {
  it("are listed with what they do and their policies, and written from the paths that a policy allows", async () => {
    const { page, problems } = await openQueries("/queries", project);
    const row = page.getByRole("row").filter({ hasText: "books-of-reader" });
    await row.getByRole("link", { name: "may-lend" }).waitFor();
    expect(await row.innerText()).toMatch(
      /returns reader\.external_id, book\.external_id[\s\S]*may-lend\s+Active/,
    );
    await page
      .getByRole("region", { name: "Policies for queries" })
      .getByText("delete book.property.note")
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "queries");

    await page.getByRole("link", { name: "New query under may-lend" }).click();
    await page.getByRole("button", { name: "Add book.property.level" }).click();
    await page.getByRole("button", { name: "Add visit" }).click();
    await problemsOf(page).getByText("No problem found").waitFor();
    const nodes = page.getByRole("group", { name: "Node values returned", exact: true });
    await nodes.getByLabel("Add: path of a node").fill("reader.property.level");
    await page.keyboard.press("Enter");
    await nodes.getByText("reader.property.level is not in allowed_reads.nodes").waitFor();
    expect(await nodes.locator(".tag.bad").allInnerTexts()).toEqual(["reader.property.level"]);
    await keepScreenshot(page, "query-error");
    await page.getByRole("button", { name: "Remove the path of a node reader.property.level" }).click();
    await page.getByLabel("Name", { exact: true }).fill("levels");
    await problemsOf(page).getByText("No problem found").waitFor();
    await page.getByRole("button", { name: "Create…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "levels", exact: true }).waitFor();
    expect(JSON.parse((await project.admin.queries.get("levels")).query)).toEqual({
      nodes: ["book.property.level"],
      relationships: ["visit"],
    });
    expect(problems()).toEqual([]);
  }, 60_000);

  it("run with parameters, and say which rows the policy and the query left out; the run is a policy test", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ikg-queries-"));
    try {
      const { page, problems } = await openRun("books-of-reader", project);
      await fillParameters(page, { reader: "bob" });
      await run(page);
      await page.getByRole("status").getByText("2 rows").waitFor();
      await page.getByRole("cell", { name: "b001" }).waitFor();
      const counts = (await countsOf(page)).map((text) => text.replaceAll(/\s+/g, " "));
      expect(counts).toEqual([
        expect.stringMatching(/^The pattern of the policy matches 24 rows/),
        expect.stringMatching(/^Filter of the policy book\.property\.level <= .* 10 left out 14 rows/),
        expect.stringMatching(/^Filter of the query reader\.external_id = "\$reader" 12 left out 2 rows/),
      ]);
      await page.locator("mark").first().waitFor();
      expect(await page.locator("mark").allInnerTexts()).toEqual([expect.stringContaining('"$reader"')]);
      expect(page.url()).toContain("params=");
      expect(await accessibilityFindings(page)).toEqual([]);
      await keepScreenshot(page, "query-run");

      const waiting = page.waitForEvent("download");
      await page.getByRole("button", { name: "Policy test" }).click();
      await (await waiting).saveAs(join(folder, "books.ikg.json"));
      const { code, output } = await runIkg(["test", folder], {
        variables: { IKG_URL: environment().base_url, IKG_TOKEN: environment().service_account_token },
      });
      expect([code, output]).toEqual([0, expect.stringContaining("1 passed")]);
      expect(problems()).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});

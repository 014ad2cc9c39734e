import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { readFileSync } from "node:fs";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { chooseFile, dragColumn, openImport } from "../../src/console/import-screen.ts";
import { isTooWide } from "../../src/console/policy-editor.ts";
import { environment } from "../../src/environment.ts";

let project: TestProject;

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  project = await createTestProject({ baseUrl, token, name: "import" });
}, 30_000);
afterAll(() => project?.remove());

const csv = [
  "id,full_name,hours,club_id",
  "amelia,Amelia Earhart,1200,ninety-nines",
  "louis,Louis Blériot,eighty,aero",
  "bessie,Bessie Coleman,300,",
  "",
].join("\n");

/** Loads data, as a person does: by a file, dragging and clicking. */
describeInBrowser("the import screen", () => {
  it("makes nodes and relationships of a CSV file, by dragging its columns, and says which lines are not in", async () => {
    const { page, problems, requests } = await openImport(project.id);
    await chooseFile(page, "pilots.csv", csv);
    // The data says the type, the id and the kinds; a club is a node of its own.
    await page.getByRole("group", { name: "Node type Pilot" }).waitFor();
    await dragColumn(page, "club_id", page.getByRole("button", { name: "Add a node type" }));
    await page.getByRole("group", { name: "Node type Club" }).waitFor();
    await dragColumn(page, "club_id", page.getByRole("button", { name: "Add a relationship" }));
    const relationship = page.getByRole("group", { name: "Relationship HAS_CLUB" });
    await relationship.getByLabel("Relationship type", { exact: true }).fill("MEMBER_OF");
    const pilot = page.getByRole("group", { name: "Node type Pilot" });
    await pilot.getByRole("button", { name: "Remove the property club_id" }).click();
    await pilot.getByLabel("Kind of the property hours").selectOption("integer");
    await page.getByRole("region", { name: "First relationships" }).getByText("Pilot amelia").waitFor();
    await keepScreenshot(page, "import");
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("3 rows read").waitFor();
    await page.getByRole("button", { name: "Create a key valid for one hour" }).click();
    await page.getByRole("button", { name: "Import into the graph" }).click();
    await page.getByText("3 rows: 4 nodes and 1 relationship written, 2 lines rejected.").waitFor();
    const rejected = page.getByRole("group", { name: "Progress of the import" });
    await rejected.getByText('hours: "eighty" is not an integer').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      rejected.getByRole("button", { name: "Download" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { row: number }).row)).toEqual([2, 2]);
    await page.getByRole("region", { name: "Import jobs" }).getByText("done").first().waitFor();
    await keepScreenshot(page, "import-done");
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(requests().filter((url) => url.includes("ak1_"))).toEqual([]);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("fits a narrow page", async () => {
    const { page } = await openImport(project.id, { viewport: { width: 390, height: 844 } });
    await chooseFile(page, "pilots.csv", csv);
    await page.getByRole("region", { name: "First nodes" }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    await keepScreenshot(page, "import-390");
  }, 40_000);
});

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestProject } from "@ikg/client/testing";
import { withStoredBatches } from "../../../stack/src/testing/stored-batches.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import {
  createAuditedProject,
  database,
  openDecisions,
  recordDecisions,
  verifyChain,
} from "../../src/console/audit-trail.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";

/** What was decided, would it be again, and was a record changed. */
let project: TestProject;
/** Place in the chain of the record of the denial. */
let denied: number;

beforeAll(async () => {
  project = await createAuditedProject("decisions");
  ({ sequence: denied } = await recordDecisions(project, "carl", "ann", "dora", "bob"));
  await recordDecisions(project, "eve");
}, 60_000);
afterAll(() => project?.remove());

describeInBrowser("the decisions", () => {
  it("are found by what was asked, shown in full, and decided again", async () => {
    const { page, problems } = await openDecisions("/decisions", project.id);
    const rows = page.getByRole("row");
    const allowed = rows.filter({ hasText: "Person ann SHARE Document d1" });
    // Names of policies and agents are read beside the records.
    await allowed.filter({ hasText: "may-share" }).filter({ hasText: "agent agent" }).waitFor();
    expect(await allowed.innerText()).toContain("Allowed");
    await page.getByRole("button", { name: "Compare with today" }).click();
    await page.getByText("5 decisions: 5 same").waitFor();
    await page
      .getByRole("status")
      .getByText(/^5 rows from .*: all of this period$/)
      .waitFor();
    await keepScreenshot(page, "decisions");
    await page.getByLabel("Decision", { exact: true }).selectOption("denied");
    await page.getByLabel("Subject").fill("person BOB");
    await page.getByRole("button", { name: "Filter" }).click();
    await allowed.waitFor({ state: "detached" });
    expect(page.url()).toContain("decision=denied");
    expect(await accessibilityFindings(page)).toEqual([]);
    await rows.getByRole("link", { name: "Person bob SHARE Document d1" }).click();
    await page.getByRole("region", { name: "The record as JSON" }).waitFor();
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByText("Today's answer is the recorded one.").waitFor();
    await page.getByRole("link", { name: "Back to the records" }).click();
    expect(await page.getByLabel("Subject").inputValue()).toBe("person BOB");
    expect(problems()).toEqual([]);
  }, 40_000);

  it("are proven unchanged, or the batch is named of which a byte was changed in the database", async () => {
    const { page, problems } = await openDecisions("/decisions/verify", project.id);
    await verifyChain(page);
    await page.getByText("The chain is unbroken.").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await withStoredBatches(database(), project.id, async (batches) => {
      const restore = await batches.replace(denied, '"id":"bob"', '"id":"rob"');
      await verifyChain(page);
      await page.getByText(`The chain is broken at batch ${denied}`).waitFor();
      await page.getByText("At least one record of this batch was changed").first().waitFor();
      const records = page.getByRole("region", { name: new RegExp(`records? of batch ${denied}$`) });
      await records.locator("summary", { hasText: "Person rob" }).click();
      await records.getByText('"id": "rob"').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await keepScreenshot(page, "decisions-broken");
      await restore();
    });
    await verifyChain(page);
    await page.getByText("The chain is unbroken.").waitFor();
    expect(problems()).toEqual([]);
  }, 40_000);
});

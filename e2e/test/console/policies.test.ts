import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openScreen } from "../../src/console/browser.ts";
import { createFlightSchool, mayFlyCypher, policyOf } from "../../src/console/flight-school.ts";

/** What are the rules: the list of policies, and the editor while one types. */
let project: TestProject;

beforeAll(async () => {
  project = await createFlightSchool({
    "may-fly": policyOf("FLY", mayFlyCypher),
    "may-inspect": policyOf("INSPECT", "MATCH (subject)-[:RATED_FOR]->()<-[:IS]-(resource)", {
      attribute: "$token.scope",
      operator: "CONTAINS",
      value: "inspect",
    }),
  });
}, 60_000);
afterAll(() => project?.remove());

const open = (path: string, options = {}) => openScreen(`${path}?project=${project.id}`, options);

const condition = (page: Page) => page.getByRole("textbox", { name: "Condition in Cypher" });
const problems = (page: Page) => page.getByRole("region", { name: "Problems" });

const typeCondition = async (page: Page, text: string): Promise<void> => {
  await condition(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
};

describeInBrowser("the policies", () => {
  it("are listed with who may do what, and found by what they say", async () => {
    const { page, problems: found } = await open("/policies");
    const table = page.getByRole("region", { name: "Policies" });
    await table.getByRole("link", { name: "may-fly" }).waitFor();
    const row = table.getByRole("row").filter({ hasText: "may-fly" });
    expect(await row.innerText()).toMatch(/Pilot FLY Aircraft\s+Active/);
    await page.getByRole("searchbox").fill("pilot inspect");
    await page.getByText("1 of 2 policies").waitFor();
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByRole("heading", { name: "No policy matches" }).waitFor();
    await page.getByRole("searchbox").fill("");
    await project.ikg.as({ type: "Pilot", id: "amelia" }).can("FLY", { type: "Aircraft", id: "N211" });
    await expect(async () => {
      await page.getByRole("button", { name: /Count/ }).click();
      await row.getByText("1", { exact: true }).waitFor({ timeout: 1_000 });
    }).toPass?.();
    await keepScreenshot(page, "policies");
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(found()).toEqual([]);
  }, 30_000);
});

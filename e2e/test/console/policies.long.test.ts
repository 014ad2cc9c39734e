import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestProject } from "@ikg/client/testing";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { createFlightSchool, mayFlyCypher, policyOf } from "../../src/console/flight-school.ts";
import { conditionOf, openPolicies, problemsOf, typeCondition } from "../../src/console/policy-editor.ts";

/** What are the rules: the list of policies, and what is wrong with one as a user types. */
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

describeInBrowser("the policies", () => {
  it("are listed with who may do what, and found by what they say", async () => {
    const { page, problems } = await openPolicies("/policies", project.id);
    const row = page.getByRole("row").filter({ hasText: "may-fly" });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Pilot FLY Aircraft\s+Active/);
    await page.getByRole("searchbox").fill("pilot inspect");
    await page.getByText("1 of 2 policies").waitFor();
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByRole("heading", { name: "No policy matches" }).waitFor();
    await page.getByRole("searchbox").fill("");
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "policies");
    expect(problems()).toEqual([]);
  }, 30_000);

  it("are checked as one types, at the place in the text; the latest answer stays", async () => {
    const { page, problems } = await openPolicies("/policies/may-fly", project.id);
    await conditionOf(page).waitFor();
    expect(await conditionOf(page).innerText()).toContain("subject.property.hours >= 100");
    await typeCondition(page, `${mayFlyCypher} AND`);
    const error = problemsOf(page).getByRole("listitem").filter({ hasText: "Error" });
    await error.first().waitFor();
    const place = await error.first().getByRole("button").innerText();
    expect(place).toMatch(/^line 2, column \d+$/);
    await page.locator(".cm-lintRange-error").waitFor();
    await typeCondition(page, mayFlyCypher.replace("Model", "Modle"));
    await problemsOf(page).getByText('did you mean "Model"?').waitFor();
    await page.locator(".cm-lintRange-warning").waitFor();
    expect(await page.locator(".cm-lintRange-warning").innerText()).toBe("Modle");
    await typeCondition(page, mayFlyCypher);
    await problemsOf(page).getByText("No problem found").waitFor();
    expect(await page.locator(".cm-lintRange-error, .cm-lintRange-warning").count()).toBe(0);
    expect(problems()).toEqual([]);
  }, 30_000);
});

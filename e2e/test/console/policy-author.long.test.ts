import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { createFlightSchool, mayFlyCypher, policyOf } from "../../src/console/flight-school.ts";
import {
  conditionOf,
  isTooWide,
  openPolicies,
  problemsOf,
  tab,
  typeCondition,
} from "../../src/console/policy-editor.ts";

/** The loop of an author: edit, see what is wrong, what runs, whose access changes; save, look back, roll back. */
let project: TestProject;

beforeAll(async () => {
  project = await createFlightSchool({ "may-fly": policyOf("FLY", mayFlyCypher) });
}, 60_000);
afterAll(() => project?.remove());

const mayLouisFly = () =>
  project.ikg.as({ type: "Pilot", id: "louis" }).can("FLY", { type: "Aircraft", id: "N211" });

const cypherNow = async (): Promise<unknown> => {
  const { policy } = await project.admin.policies.get("may-fly");
  return (JSON.parse(policy) as { condition: { cypher: unknown } }).condition.cypher;
};

const look = async (page: Page, name: string): Promise<void> => {
  expect(await accessibilityFindings(page)).toEqual([]);
  await keepScreenshot(page, name);
};

/** Completes the type of a node from the schema of the graph. */
const completeModel = async (page: Page): Promise<void> => {
  await page.locator("datalist option[value=Model]").first().waitFor({ state: "attached" });
  await typeCondition(page, "MATCH (subject)-[:RATED_FOR]->(:");
  await page.keyboard.type("Mo");
  const options = page.getByRole("listbox");
  await options.getByRole("option", { name: /Model/ }).waitFor();
  await look(page, "policy-completion");
  await page.keyboard.press("Enter");
  expect(await conditionOf(page).innerText()).toContain("(:Model");
};

describeInBrowser("the author of a policy", () => {
  it("edits, sees the diagnostics, what runs and whose access changes, saves, looks back and rolls back", async () => {
    const { page, problems, requests } = await openPolicies("/policies/may-fly", project.id);
    await completeModel(page);
    await typeCondition(page, `${mayFlyCypher} AND`);
    await problemsOf(page).getByText("Error", { exact: true }).first().waitFor();
    // The list of completions would cover it.
    await page.keyboard.press("Escape");
    await look(page, "policy-error");
    await typeCondition(page, mayFlyCypher.replace("100", "50"));
    await problemsOf(page).getByText("No problem found").waitFor();
    await look(page, "policy-editor");

    await tab(page, "Preview");
    await page
      .getByRole("region", { name: /^Cypher: / })
      .first()
      .waitFor();
    await look(page, "policy-preview");

    await tab(page, "Impact");
    const card = page.getByRole("region", { name: "Pilot FLY Aircraft" });
    await card.getByText("louis").waitFor({ timeout: 30_000 });
    expect(await card.innerText()).toMatch(/1 gained[\s\S]*louis → N211[\s\S]*None lost/);
    await look(page, "policy-impact");
    await page.getByText("Request inputs").click();
    await page.getByLabel("Claims of the token").fill('{"kept": 1}');
    await tab(page, "Preview");
    await tab(page, "Impact");
    expect(await page.getByLabel("Claims of the token").inputValue()).toBe('{"kept": 1}');
    await card.getByRole("link", { name: "Explain today's decision" }).click();
    await page.getByRole("heading", { name: "Playground" }).waitFor();
    expect(await page.getByLabel("Subject id").inputValue()).toBe("louis");
    await page.goBack();
    // What was typed is there after a look at another screen.
    await conditionOf(page).getByText("hours >= 50").waitFor();

    await page.getByRole("button", { name: "Save…" }).click();
    const dialog = page.getByRole("dialog", { name: /Save/ });
    await dialog.getByText("louis").waitFor({ timeout: 30_000 });
    expect(await dialog.locator(".cm-deletedChunk").first().innerText()).toContain("hours >= 100");
    expect(await cypherNow()).toBe(mayFlyCypher);
    await look(page, "policy-save");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. It is live within two seconds.").waitFor();
    expect(await cypherNow()).toBe(mayFlyCypher.replace("100", "50"));
    await eventually(mayLouisFly, (may) => may, { withinMs: 10_000 });

    await tab(page, "Versions");
    const rows = page.getByRole("region", { name: "Versions", exact: true }).getByRole("row");
    await rows.filter({ hasText: "current" }).waitFor();
    expect(await rows.count()).toBe(3);
    await page.locator(".cm-merge-b .cm-changedLine").first().waitFor();
    await look(page, "policy-versions");
    await rows.last().getByRole("button", { name: "Roll back to it" }).click();
    const back = page.getByRole("dialog", { name: "Roll back to version 1" });
    await back.getByText("louis").waitFor({ timeout: 30_000 });
    await back.getByLabel(/^Why/).fill("not yet");
    await look(page, "policy-rollback");
    await back.getByRole("button", { name: "Roll back", exact: true }).click();
    await page.getByText("Rolled back to version 1.").waitFor();
    expect(await cypherNow()).toBe(mayFlyCypher);
    const [change] = await project.admin.changes.list({ pageSize: 1 }).toArray();
    expect(change?.message).toBe("not yet");
    expect(await rows.count()).toBe(4);
    await tab(page, "Rule");
    expect(await conditionOf(page).innerText()).toContain("hours >= 100");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const json = page.getByRole("textbox", { name: "Policy as JSON" });
    await json.click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("Enter");
    // What it says is the same.
    expect(await json.locator(".cm-line").last().innerText()).toBe("\n");
    expect(await page.getByText("Not saved").count()).toBe(0);
    await look(page, "policy-json");
    await page.getByRole("button", { name: "Edit in the form" }).click();
    await conditionOf(page).waitFor();
    expect(requests().filter((url) => url.includes("hours"))).toEqual([]);
    expect(problems()).toEqual([]);
  }, 180_000);

  it("works at the width of a telephone", async () => {
    const { page, problems } = await openPolicies("/policies/may-fly", project.id, {
      viewport: { width: 390, height: 844 },
    });
    await typeCondition(page, `${mayFlyCypher} AND resource.external_id = '${"wide".repeat(60)}'`);
    await problemsOf(page).getByText("No problem found").waitFor();
    expect(await isTooWide(page)).toBe(false);
    await look(page, "policy-editor-390");
    await page.getByRole("button", { name: "Save…" }).click();
    await page.getByRole("dialog").getByText("amelia").waitFor({ timeout: 30_000 });
    expect(await isTooWide(page)).toBe(false);
    await look(page, "policy-save-390");
    await page.getByRole("button", { name: "Back to editing" }).click();
    for (const name of ["Preview", "Impact", "Versions"]) {
      await tab(page, name);
      await page.waitForTimeout(300);
      expect([name, await isTooWide(page)]).toEqual([name, false]);
    }
    await page.getByRole("link", { name: "All policies" }).click();
    await page.getByRole("row").filter({ hasText: "may-fly" }).getByText("Not saved").waitFor();
    expect(await isTooWide(page)).toBe(false);
    await look(page, "policies-390");
    expect(problems()).toEqual([]);
  }, 120_000);
});

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { TestProject } from "@ikg/client/testing";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import { consoleUrl, describeInBrowser, keepScreenshot, openTab, signIn } from "../../src/console/browser.ts";
import { pressTabTo } from "../../src/console/keyboard.ts";
import { createFlightSchool, mayFlyCypher, policyOf } from "../../src/console/flight-school.ts";
import {
  conditionOf,
  openPolicies,
  problemsOf,
  tab,
  typeCondition,
} from "../../src/console/policy-editor.ts";

/** Drafts of policies: when another editor saves, when a credential ends, by whom they may be saved, and how they end. */
let project: TestProject;

beforeAll(async () => {
  project = await createFlightSchool({ "may-fly": policyOf("FLY", mayFlyCypher) });
}, 60_000);
afterAll(() => project?.remove());

const saveElsewhere = (hours: number) =>
  project.admin.policies.update("may-fly", (record) => ({
    ...record,
    policy: JSON.stringify(policyOf("FLY", mayFlyCypher.replace("100", String(hours)))),
  }));

describeInBrowser("a draft of a policy", () => {
  it("never overwrites unseen what another editor has saved", async () => {
    const { page, problems } = await openPolicies("/policies/may-fly", project.id);
    await typeCondition(page, mayFlyCypher.replace("100", "50"));
    await problemsOf(page).getByText("No problem found").waitFor();
    await saveElsewhere(70);
    await page.getByRole("button", { name: "Save…" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: "Save", exact: true })
      .click({ timeout: 30_000 });
    const note = page.getByRole("alert").filter({ hasText: "changed while you edited it" });
    await note.locator(".cm-changedLine").first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "policy-conflict");
    expect(await page.getByRole("button", { name: "Save…" }).isDisabled()).toBe(true);
    await note.getByRole("button", { name: "Keep my draft, on top of theirs" }).click();
    await page.getByRole("button", { name: "Save…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".cm-deletedChunk").getByText("hours >= 70").waitFor();
    await dialog.getByRole("button", { name: "Save", exact: true }).click({ timeout: 30_000 });
    await page.getByText("Saved. It is live").waitFor();
    expect((await project.admin.policies.get("may-fly")).policy).toContain("hours >= 50");
    expect(problems()).toEqual([]);
  }, 90_000);

  it("is kept when the credential is revoked, and saved after signing in again", async () => {
    const account = await newAccount("owner");
    try {
      const { page, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/policies/may-fly?project=${encodeURIComponent(project.id)}`);
      await signIn(page, account.token);
      await conditionOf(page).waitFor();
      await account.revoke();
      const again = page.getByRole("dialog", { name: "Sign in again" });
      for (let hours = 40; hours > 10 && !(await again.isVisible()); hours--) {
        await typeCondition(page, mayFlyCypher.replace("100", String(hours)));
        await page.waitForTimeout(600);
      }
      await again.waitFor();
      await signIn(page);
      await again.waitFor({ state: "detached" });
      const typed = /hours >= \d+/.exec(await conditionOf(page).innerText())?.[0] ?? "";
      await page.getByRole("button", { name: "Save…" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: "Save", exact: true })
        .click({ timeout: 30_000 });
      await page.getByText("Saved. It is live").waitFor();
      expect((await project.admin.policies.get("may-fly")).policy).toContain(typed);
      expect(problems()).toEqual([]);
    } finally {
      await account.remove();
    }
  }, 90_000);

  it("is refused to a user who may not change policies: the reason is shown", async () => {
    const account = await newAccount("viewer");
    try {
      const { page, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/policies?project=${encodeURIComponent(project.id)}`);
      await signIn(page, account.token);
      await page.getByRole("link", { name: "may-fly" }).waitFor();
      expect(await page.getByRole("link", { name: "New policy" }).count()).toBe(0);
      await page.getByRole("link", { name: "may-fly" }).click();
      await conditionOf(page).waitFor();
      for (const name of ["Save…", "Remove", "Add a comparison"])
        expect([name, await page.getByRole("button", { name }).count()]).toEqual([name, 0]);
      expect(await page.getByRole("tab", { name: "Impact" }).count()).toBe(0);
      await conditionOf(page).click();
      await page.keyboard.type("nothing");
      expect(await conditionOf(page).innerText()).not.toContain("nothing");
      await tab(page, "Versions");
      await page.getByRole("region", { name: "Versions", exact: true }).waitFor();
      expect(await page.getByRole("button", { name: "Roll back to it" }).count()).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problems()).toEqual([]);
    } finally {
      await account.remove();
    }
  }, 90_000);

  it("becomes a policy by keyboard alone, which is removed by its name", async () => {
    const { page, problems } = await openPolicies("/policies", project.id);
    const press = async (key: string, times = 1): Promise<void> => {
      for (let at = 0; at < times; at++) await page.keyboard.press(key);
    };
    const tabTo = (name: string): Promise<void> => pressTabTo(page, name);
    await page.getByRole("link", { name: "New policy" }).waitFor();
    await tabTo("New policy");
    await press("Enter");
    await page.getByRole("heading", { name: "New policy" }).waitFor();
    await conditionOf(page).waitFor();
    await tabTo("Subject type");
    await page.keyboard.type("Pilot");
    await tabTo("Add: action");
    await page.keyboard.type("CLEAN");
    await press("Enter");
    await tabTo("Resource type");
    await page.keyboard.type("Aircraft");
    await tabTo("Condition in Cypher");
    await press("ControlOrMeta+a");
    await page.keyboard.insertText("MATCH (subject)-[:RATED_FOR]->()<-[:IS]-(resource)");
    await tabTo("Name");
    await page.keyboard.type("may-clean");
    await problemsOf(page).getByText("No problem found").waitFor();
    await keepScreenshot(page, "policy-new");
    await page.evaluate("document.getElementById('main').focus()");
    await tabTo("Create…");
    await press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("amelia").first().waitFor({ timeout: 30_000 });
    await tabTo("Save");
    await press("Enter");
    await page.getByRole("heading", { name: "may-clean", exact: true }).waitFor();
    expect((await project.admin.policies.get("may-clean")).status).toBe("ACTIVE");
    await page.evaluate("document.getElementById('main').focus()");
    await tabTo("Remove");
    await press("Enter");
    const confirm = page.getByRole("alertdialog");
    await confirm.getByText("amelia").first().waitFor({ timeout: 30_000 });
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "policy-remove");
    expect(await confirm.getByRole("button", { name: "Remove" }).isDisabled()).toBe(true);
    await confirm.getByLabel("Type its name to confirm").focus();
    await page.keyboard.type("may-clean");
    await tabTo("Remove");
    await press("Enter");
    await page.getByRole("link", { name: "may-fly" }).waitFor();
    await page.getByRole("link", { name: "may-clean" }).waitFor({ state: "detached" });
    expect(problems()).toEqual([]);
  }, 120_000);
});

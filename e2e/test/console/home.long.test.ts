import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { tmpdir } from "node:os";
import { runShell } from "../../src/cli/run-shell.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import {
  consoleUrl,
  describeInBrowser,
  keepScreenshot,
  openScreen,
  openTab,
  signIn,
} from "../../src/console/browser.ts";
import { pressTabTo } from "../../src/console/keyboard.ts";
import { project as team } from "../../src/console/team-project.ts";
import { environment } from "../../src/environment.ts";

/** Is it well, and what happened? */
let empty: TestProject;

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  empty = await createTestProject({ baseUrl, token, name: "empty" });
}, 30_000);
afterAll(() => empty?.remove());

describeInBrowser("the first screen", () => {
  it("shows the last denials, of which each leads to why, and the last changes", async () => {
    await team.ikg.as({ type: "Person", id: "bob" }).can("SHARE", { type: "Document", id: "d7" });
    const { page, problems } = await openScreen(`/?project=${team.id}`);
    await page.getByText("ready, version").waitFor();
    const denial = page.getByRole("listitem").filter({ hasText: "Person bob may not SHARE Document d7" });
    // Records are in the chain when their batch is signed.
    for (let turn = 0; turn < 20 && !(await denial.isVisible()); turn++) {
      await page.reload();
      await page.getByLabel("Service account token").fill(environment().service_account_token);
      await page.keyboard.press("Enter");
      await page.getByText("ready, version").waitFor();
      await page.waitForTimeout(500);
    }
    await page.getByText("Policy may-share saved, version 1").waitFor();
    const services = ["gateway", "configs", "access", "ciq", "capture", "mcp", "trust-scorer", "audit"];
    for (const service of services) await page.getByText(`${service}: ready`).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "home");
    await pressTabTo(page, "Why?");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Playground" }).waitFor();
    expect(await page.getByLabel("Resource id").inputValue()).toBe("d7");
    expect(problems()).toEqual([]);
  }, 40_000);

  it.each([
    ["viewer", 0],
    ["data_viewer", 0],
    ["policy_author", 3],
  ] as const)(
    "leads a %s to the %d steps of an empty project",
    async (role, count) => {
      const { token, remove } = await newAccount(role, empty.id);
      try {
        const { page, problems, requests } = await openTab();
        await page.goto(`${consoleUrl()}#/?project=${empty.id}`);
        await signIn(page, token);
        await page.getByText("ready, version").waitFor();
        const regions = page.getByRole("region", { name: /^Command: / });
        // A policy author cannot look at graphs, and does not learn that this one has nodes.
        if (count > 0) await regions.nth(count - 1).waitFor();
        else expect(requests().filter((url) => url.includes("/authorization-policies"))).toEqual([]);
        expect(await regions.count()).toBe(count);
        expect(problems()).toEqual([]);
      } finally {
        await remove();
      }
    },
    40_000,
  );

  it("leads an empty project to its first decision by commands that work as they stand", async () => {
    const { page, problems } = await openScreen(`/?project=${empty.id}`);
    const regions = page.getByRole("region", { name: /^Command: / });
    await regions.first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    const commands = await regions.allInnerTexts();
    expect(commands).toHaveLength(3);
    const env = { ...process.env, KEY: empty.clientKey, TOKEN: environment().service_account_token };
    const { output } = await runShell(commands.join("\n"), { cwd: tmpdir(), env });
    expect(output).toMatch(/"decision":\s*true/);
    expect(problems()).toEqual([]);
  }, 40_000);
});

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { tmpdir } from "node:os";
import { runShell } from "../../src/cli/run-shell.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openScreen } from "../../src/console/browser.ts";
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

import { expect, it } from "@jest/globals";
import { newAccount } from "../../src/console/account.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import {
  consoleUrl,
  describeInBrowser,
  keepScreenshot,
  openScreen,
  openTab,
  signIn,
} from "../../src/console/browser.ts";
import { project, revokeIn, storageOf } from "../../src/console/frame.ts";

/** The frame of the console: a token that is kept, refused or revoked, and a narrow page. */
describeInBrowser("the frame of the console", () => {
  it("has the current screen in sight on a narrow page, by a link and by clicks", async () => {
    const viewport = { width: 390, height: 844 };
    const { page, problems } = await openScreen(`/project/changes?project=${project.id}`, { viewport });
    const isInSight = (bar: string) =>
      page.waitForFunction(`(() => {
        const { left, right } = document.querySelector('nav[aria-label="${bar}"] [aria-current="page"]').getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      })()`);
    await page.getByRole("heading", { level: 1, name: "Project" }).waitFor();
    await isInSight("Screens");
    await isInSight("Project");
    await keepScreenshot(page, "shell-narrow");
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Playground" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    await isInSight("Screens");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(problems()).toEqual([]);
  }, 40_000);

  it("keeps the token over a reload where that was asked for, until signing out", async () => {
    const { page } = await openTab();
    await page.goto(consoleUrl());
    await page.getByLabel("Keep it when this tab reloads").check();
    await signIn(page);
    await page.reload();
    await page.getByRole("navigation", { name: "Screens" }).waitFor();
    // A suite that fails says nothing about the token.
    const current = "**/configs/v1/administrators/current";
    await page.route(current, (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.reload();
    await page.getByText("Could not sign in with the token of this tab").waitFor();
    await page.unroute(current);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("navigation", { name: "Screens" }).waitFor();
    await page.getByRole("button", { name: /owner/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Service account token").waitFor();
    expect(await page.evaluate(storageOf)).toBe('[[],[],""]');
  }, 40_000);

  it("says that a token is not accepted, and is accessible", async () => {
    const { page, problems } = await openTab();
    await page.goto(consoleUrl());
    await page.getByLabel("Service account token").fill("nonsense");
    await page.keyboard.press("Enter");
    await page.getByText("This token is not accepted.").waitFor();
    await keepScreenshot(page, "sign-in");
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problems()).toEqual([]);
  }, 40_000);

  it("asks to sign in again when the credential is revoked", async () => {
    const account = await newAccount("owner");
    try {
      const { page, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/playground?project=${project.id}`);
      await signIn(page, account.token);
      await page.getByLabel("paste an application key").fill(project.clientKey);
      await page.getByRole("button", { name: "Use key" }).click();
      await page.getByText("Requests use the key that you pasted").waitFor();
      const again = await revokeIn(page, account);
      const bearers: string[] = [];
      page.on("request", (request) => bearers.push(request.headers()["authorization"] ?? ""));
      await page.context().setOffline(true);
      await page.context().setOffline(false);
      await page.waitForTimeout(250);
      // Without a credential nothing is sent.
      expect(bearers.filter((bearer) => bearer !== "")).toEqual([]);
      expect(await accessibilityFindings(page)).toEqual([]);
      await signIn(page);
      expect(await again.isVisible()).toBe(false);
      // It was the key of another administrator.
      await page.getByText("Application key required").waitFor();
      // Everything was read again, with the new credential.
      await page.waitForTimeout(500);
      expect(await page.getByText("could not be refreshed").count()).toBe(0);
      expect(problems()).toEqual([]);
    } finally {
      await account.remove();
    }
  }, 40_000);

  it("shows another administrator who signs in nothing that the previous one has read", async () => {
    const [former, next] = [await newAccount("owner"), await newAccount("viewer")];
    try {
      const { page, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/?project=${project.id}`);
      await signIn(page, former.token);
      const figure = page.getByText("Decisions in 60 min");
      await figure.waitFor();
      const again = await revokeIn(page, former);
      await signIn(page, next.token);
      await again.waitFor({ state: "detached" });
      await page.getByText("ready, version").waitFor();
      // It is of the audit trail, which a viewer does not read.
      expect(await figure.count()).toBe(0);
      expect(problems()).toEqual([]);
    } finally {
      await former.remove();
      await next.remove();
    }
  }, 40_000);
});

import { expect, it } from "@jest/globals";
import type { Route } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import { consoleUrl, describeInBrowser, keepScreenshot, openTab, signIn } from "../../src/console/browser.ts";
import { ask, link, open, pasteKey, project, shareQuestion } from "../../src/console/team-project.ts";

/** The playground where something is missing, late or wrong, on a narrow screen and without a mouse. */
describeInBrowser("the playground", () => {
  it("says what a question lacks, and what the API answers", async () => {
    const { page, problems } = await open({ ...shareQuestion, action: "READ", resource: "" });
    await ask(page);
    await page.getByText("Required", { exact: true }).waitFor();
    await page.getByLabel("Resource id").fill("d1");
    await ask(page);
    await page.getByText("Not decided").waitFor();
    await page.getByText("level").first().waitFor();
    await page.getByText("Token, parameters and tags", { exact: true }).click();
    await page.getByLabel("Parameters, as JSON").fill('{"level": 5}');
    await ask(page);
    await page.getByText("Allowed").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.goBack();
    await page.waitForFunction(`!location.hash.includes("level")`);
    expect(problems()).toEqual([]);
  }, 40_000);

  it("is done by keyboard alone", async () => {
    const { page } = await open({});
    const fields = [
      ["Subject type", "Person"],
      ["Subject id", "ann"],
      ["Action", "SHARE"],
      ["Resource type", "Document"],
      ["Resource id", "d1"],
    ] as const;
    await page.getByRole("tab", { name: "Decision" }).focus();
    for (const [label, text] of fields) {
      const focused = "document.activeElement?.labels?.[0]?.textContent";
      for (let turn = 0; turn < 12 && (await page.evaluate(focused)) !== label; turn++)
        await page.keyboard.press("Tab");
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await page.getByText("Allowed").waitFor();
  }, 40_000);

  it("fits a narrow screen", async () => {
    const { page } = await open(shareQuestion, { viewport: { width: 390, height: 844 } });
    await page.locator(".drawing canvas").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "playground-narrow");
  }, 40_000);

  it("offers no more than the roles allow, and says what is missing for it", async () => {
    const { token, remove } = await newAccount("viewer", project.id);
    try {
      const tab = await openTab();
      await tab.page.goto(`${consoleUrl()}#${link(shareQuestion)}`);
      await signIn(tab.page, token);
      await tab.page.getByLabel("Paste an application key").waitFor();
      expect(await tab.page.getByRole("button", { name: "Create a key valid for one hour" }).count()).toBe(0);
      await pasteKey(tab.page);
      await tab.page.getByText("Allowed").waitFor();
      expect(tab.problems()).toEqual([]);
    } finally {
      await remove();
    }
  }, 40_000);

  it("shows that it waits, that nothing is about the question, and what failed", async () => {
    const { page } = await open({ ...shareQuestion, action: "BURN" });
    await page.getByText("No policy covers this").waitFor();
    let answer: (route: Route) => Promise<void> = (route) => route.continue();
    await page.route("**/access/v1/evaluation", (route) => answer(route));
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    answer = async (route) => {
      await released;
      await route.continue();
    };
    await ask(page);
    await page.getByText("Loading the answer…").waitFor();
    release(undefined);
    await page.getByText("No policy covers this").waitFor();
    const candidate = {
      policy: { id: "gid:gone", name: "gone", version: 3 },
      outcome: "unknown",
      statements: 0,
      database_hits: 0,
    };
    const explanation = { candidates: [candidate], omitted: 4, milliseconds: 1 };
    answer = (route) => route.fulfill({ json: { decision: false, context: { explanation } } });
    await ask(page);
    await page.getByText("4 more policies were not examined").waitFor();
    await page.getByText("Could not load the policy").waitFor();
    answer = (route) => route.fulfill({ status: 401, json: { message: "client key missing or not valid" } });
    await ask(page);
    await page.getByText("client key missing or not valid").waitFor();
    await page.getByText("Application key required").waitFor();
    expect(await page.getByLabel("Action").inputValue()).toBe("BURN");
    expect(await accessibilityFindings(page)).toEqual([]);
  }, 40_000);
});

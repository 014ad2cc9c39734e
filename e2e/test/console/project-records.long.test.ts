import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page, Route } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import { consoleUrl, describeInBrowser, keepScreenshot, openTab, signIn } from "../../src/console/browser.ts";
import { isTooWide } from "../../src/console/policy-editor.ts";
import { button, openProject } from "../../src/console/project-screen.ts";
import { environment } from "../../src/environment.ts";

/** Every tab of the project with records, without any, narrow, by keyboard, for roles that may less, and where the API fails. */
let project: TestProject;
let empty: TestProject;

const tabs = [
  ["applications", "Applications"],
  ["administrators", "Roles"],
  ["introspects", "User tokens"],
  ["mcp", "MCP"],
  ["resolvers", "Resolvers"],
  ["trust", "Trust scores"],
  ["signing", "Audit signing"],
  ["changes", "Changes"],
] as const;

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  project = await createTestProject({
    baseUrl,
    token,
    name: "records",
    people: "Pilot",
    graph: { nodes: [{ type: "Pilot", external_id: "amelia", properties: [{ type: "hours", value: 3 }] }] },
  });
  empty = await createTestProject({ baseUrl, token, name: "no-records" });
}, 60_000);
afterAll(async () => {
  await project?.remove();
  await empty?.remove();
});

const create = async (page: Page, fill: () => Promise<void>): Promise<void> => {
  await fill();
  await button(page, "Create").click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
};

const named = (page: Page, name: string) => page.getByLabel("Name", { exact: true }).fill(name);

describeInBrowser("the records of a project", () => {
  it("are made by forms, each with what is wrong at its field", async () => {
    const { page, problems } = await openProject(project.id, "/resolvers");
    await button(page, "New resolver").click();
    await create(page, async () => {
      await named(page, "prices");
      await page.getByLabel("Address").fill("ftp://nowhere");
      await page.getByLabel("Which part of the response is the value").fill(".price");
      await page.getByLabel("Headers, as JSON").fill("[");
      await button(page, "Create").click();
      await page.getByText("Enter a JSON object").waitFor();
      await page.getByLabel("Headers, as JSON").fill('{"X-Key": "kept-secret"}');
      await button(page, "Create").click();
      await page.getByText("Not saved: see the messages at the fields.").waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByLabel("Address").fill("https://prices.example/{$_externalId}?in={$currency || EUR}");
    });
    await page.getByText("currency from the parameters of the query, else EUR").waitFor();
    expect(await page.locator("main").innerText()).not.toContain("kept-secret");
    await button(page, "Show values").click();
    await page.getByText("kept-secret").waitFor();
    await keepScreenshot(page, "project-resolver");

    await page.getByRole("link", { name: "Trust scores" }).click();
    await button(page, "New trust score profile").click();
    await create(page, async () => {
      await named(page, "pilots");
      await page.getByLabel("Node type").fill("Pilot");
      await page.getByLabel("Weight of freshness").fill("0.5");
      await page.getByLabel("Weight of origin").fill("2");
      await button(page, "Create").click();
      const origin = page.locator(".field").filter({ has: page.getByLabel("Weight of origin") });
      await origin.getByText("0-1 expected").waitFor();
      await page.getByLabel("Weight of origin").fill("1");
    });
    await page.getByRole("row").filter({ hasText: "Freshness" }).waitFor();
    await keepScreenshot(page, "project-trust");

    await page.getByRole("link", { name: "MCP" }).click();
    await button(page, "New MCP server").click();
    await create(page, async () => {
      await named(page, "assistant");
      await page.getByLabel("Agent", { exact: true }).selectOption("agent");
      await page.getByLabel("Token introspection", { exact: true }).selectOption("people");
    });
    const address = page.getByText(`/mcp/v1/${project.id}`).first();
    await address.waitFor();
    await page.getByText("The endpoint is not available yet").waitFor({ state: "detached" });
    const config = await page.getByRole("region", { name: "A client that signs in" }).innerText();
    expect(JSON.parse(config)).toMatchObject({ mcpServers: { assistant: { type: "http" } } });
    await keepScreenshot(page, "project-mcp");
    expect(problems()).toEqual([]);
  }, 120_000);

  it("are changed over the state that was read, and over no other", async () => {
    const { admin } = project;
    await admin.applications.create({ name: "contested" });
    const { page, problems } = await openProject(project.id, "/applications/contested");
    await button(page, "Change").click();
    await page.getByLabel("Description").fill("of this page");
    // What was typed is not lost by it.
    await page.keyboard.press("Escape");
    await admin.applications.update("contested", () => ({ description: "of another writer" }));
    await button(page, "Save").click();
    await page.getByText("was changed since it was opened").waitFor();
    // Also a second time: the page has read the other state meanwhile, and the form is not based on it.
    await button(page, "Save").click();
    await button(page, "Cancel").click();
    await page.getByText("of another writer").waitFor();
    await button(page, "Change").click();
    await page.getByLabel("Description").fill("of this page");
    await button(page, "Save").click();
    await page.getByText("of this page").waitFor();
    await button(page, "Remove").click();
    const confirm = page.getByRole("alertdialog").getByRole("button", { name: "Remove" });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel("Type its name to confirm").fill("contested");
    await confirm.click();
    await page.getByRole("region", { name: "Applications" }).waitFor();
    expect(await page.getByRole("link", { name: "contested" }).count()).toBe(0);
    expect(problems()).toEqual([]);
  }, 60_000);

  it.each([1280, 390])(
    "fit a page of %d pixels, and are accessible",
    async (width) => {
      const { page, problems } = await openProject(project.id, "", { viewport: { width, height: 844 } });
      for (const [tab, label] of tabs) {
        await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: label }).click();
        await page.waitForFunction(`location.hash.includes("/project/${tab}")`);
        await page.locator(".loading").first().waitFor({ state: "detached" });
        expect([tab, await isTooWide(page)]).toEqual([tab, false]);
        expect([tab, await accessibilityFindings(page)]).toEqual([tab, []]);
        await keepScreenshot(page, `project-${tab}-${width}`);
      }
      expect(problems()).toEqual([]);
    },
    120_000,
  );

  it("have an empty state on every tab", async () => {
    const { page, problems } = await openProject(empty.id);
    for (const [tab, title] of [
      ["introspects", "No token introspection yet"],
      ["mcp", "No MCP server yet"],
      ["resolvers", "No resolver yet"],
      ["trust", "No trust score profile yet"],
      ["signing", "No signing key yet"],
      ["changes", "Nothing was changed yet"],
    ] as const) {
      await page.goto(`${consoleUrl()}#/project/${tab}?project=${encodeURIComponent(empty.id)}`);
      await page.getByRole("heading", { name: title }).waitFor();
      expect([tab, await accessibilityFindings(page)]).toEqual([tab, []]);
    }
    await page.goto(`${consoleUrl()}#/project/resolvers/nothing?project=${encodeURIComponent(empty.id)}`);
    await page.getByRole("heading", { name: "There is no such resolver" }).waitFor();
    await page.goto(`${consoleUrl()}#/project/constructor?project=${encodeURIComponent(empty.id)}`);
    await page.getByRole("heading", { name: "There is no such screen" }).waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("are not offered to be changed by who may not", async () => {
    const { token, remove } = await newAccount("viewer", project.id);
    try {
      const { page, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/project?project=${encodeURIComponent(project.id)}`);
      await signIn(page, token);
      for (const [tab, label] of tabs) {
        await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: label }).click();
        await page.waitForFunction(`location.hash.includes("/project/${tab}")`);
        await page.locator(".loading").first().waitFor({ state: "detached" });
        expect([
          tab,
          await page.getByRole("button", { name: /^(New|Grant|Revoke|Remove|Change)( |$)/ }).count(),
        ]).toEqual([tab, 0]);
        expect([tab, await page.getByRole("alert").count()]).toEqual([tab, 0]);
      }
      expect(problems()).toEqual([]);
    } finally {
      await remove();
    }
    const auditor = await newAccount("auditor", project.id);
    try {
      const { page } = await openTab();
      await page.goto(`${consoleUrl()}#/project?project=${encodeURIComponent(project.id)}`);
      await signIn(page, auditor.token);
      await page.getByRole("heading", { name: "You cannot read this configuration" }).waitFor();
    } finally {
      await auditor.remove();
    }
  }, 90_000);

  it("say what could not be read, and are read again", async () => {
    const { page } = await openTab();
    const fail = (route: Route) =>
      route.fulfill({
        status: 500,
        contentType: "application/json",
        body: '{"message":"Internal Server Error"}',
      });
    await page.route("**/configs/v1/external-data-resolvers?**", fail);
    await page.goto(`${consoleUrl()}#/project/resolvers?project=${encodeURIComponent(empty.id)}`);
    await signIn(page);
    await page.getByText("Could not load the resolvers").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.unroute("**/configs/v1/external-data-resolvers?**");
    await button(page, "Try again").click();
    await page.getByRole("heading", { name: "No resolver yet" }).waitFor();
  }, 60_000);

  it("are made by keyboard alone", async () => {
    const { page } = await openProject(project.id);
    const press = async (name: string): Promise<void> => {
      await button(page, name).waitFor();
      const focused = "document.activeElement?.innerText?.trim()";
      for (let turn = 0; turn < 60 && (await page.evaluate(focused)) !== name; turn++)
        await page.keyboard.press("Tab");
      expect(await page.evaluate(focused)).toBe(name);
      await page.keyboard.press("Enter");
    };
    await press("New application");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("by-keyboard");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "by-keyboard" }).waitFor();
    await press("New agent");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("by-keyboard-agent");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No key yet" }).waitFor();
    await press("New key");
    await page.getByRole("dialog").waitFor();
    await press("Create key");
    await page.getByText("Copy it now.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Copy it now.").waitFor();
    await press("I have saved it");
    await page.getByRole("region", { name: "Keys" }).getByText("Valid", { exact: true }).waitFor();
  }, 60_000);
});

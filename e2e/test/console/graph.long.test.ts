import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { execFileSync } from "node:child_process";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import {
  consoleUrl,
  describeInBrowser,
  keepScreenshot,
  openScreen,
  openTab,
  signIn,
} from "../../src/console/browser.ts";
import { drawnNode } from "../../src/console/drawn-node.ts";
import { relationship } from "../../src/console/relationship.ts";
import { newAccount } from "../../src/console/account.ts";
import { environment } from "../../src/environment.ts";

/** What do we know about X: looked up as a person would, by clicking and typing. */
const address = () => ({ baseUrl: environment().base_url, token: environment().service_account_token });

const named = (type: string, external_id: string) => ({ type, external_id });

const documents = Array.from({ length: 150 }, (_, at) => `d${String(at).padStart(3, "0")}`);

const graph = {
  nodes: [
    {
      ...named("Person", "ann"),
      is_identity: true,
      labels: ["Staff"],
      properties: [
        { type: "name", value: "Ann Example" },
        {
          type: "hours",
          value: 1200,
          metadata: {
            source: "hr",
            assurance_level: 2 as const,
            verified_time: "2026-06-01T08:00:00Z",
            custom_metadata: { checked_by: "bob" },
          },
        },
        { type: "languages", value: ["en", "de"] },
        { type: "biography", value: "word ".repeat(2_000) },
      ],
    },
    named("Person", "anton"),
    named("Person", "bob"),
    named("Team", "law"),
    named("Team", "tax"),
    named("Model", "lonely"),
    ...documents.map((id) => named("Document", id)),
  ],
  relationships: [
    relationship(["Person", "ann"], "WORKS_FOR", ["Team", "law"]),
    {
      ...relationship(["Person", "ann"], "KNOWS", ["Person", "bob"]),
      properties: [{ type: "since", value: 2020 }],
    },
    relationship(["Person", "bob"], "WORKS_FOR", ["Team", "tax"]),
    relationship(["Person", "anton"], "REPORTS_TO", ["Person", "ann"]),
    ...documents.map((id) => relationship(["Team", "tax"], "OWNS", ["Document", id])),
    ...documents.slice(0, 5).map((id) => relationship(["Person", "ann"], "WROTE", ["Document", id])),
  ],
};

let project: TestProject;
let empty: TestProject;

beforeAll(async () => {
  project = await createTestProject({ ...address(), name: "graph-screen", graph });
  empty = await createTestProject({ ...address(), name: "graph-screen-empty" });
}, 60_000);
afterAll(async () => {
  await project?.remove();
  await empty?.remove();
});

const link = (path: string, search: Readonly<Record<string, string>> = {}, id = project.id): string =>
  `${path}?${new URLSearchParams({ project: id, ...search }).toString().replaceAll("+", "%20")}`;

const annLink = () => link("/graph/node", { type: "Person", id: "ann" });

const canvas = (page: Page) => page.getByRole("application", { name: /Drawing of the neighbourhood/ });

const table = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const narrow = { viewport: { width: 390, height: 844 } };

/** Whether the page is wider than the window: something pushes the layout apart. */
const overflows = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

describeInBrowser("the graph screen", () => {
  it("finds a node by its type and id, and shows everything that is stored of it", async () => {
    const { page, problems } = await openScreen(link("/graph"), { timezoneId: "America/New_York" });
    await page.getByLabel("Type").selectOption({ label: "Person (3)" });
    await page.getByLabel("Id begins with").fill("an");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByText("2 nodes", { exact: true }).waitFor();
    await keepScreenshot(page, "graph-list");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "ann", exact: true }).click();
    const properties = table(page, "Properties");
    await properties.getByText("Ann Example").waitFor();
    const text = await properties.innerText();
    for (const shown of [
      "hours",
      "1200",
      "hr",
      "assurance_level",
      "checked_by",
      '["en","de"]',
      "10,000 characters",
    ])
      expect(text).toContain(shown);
    // In the reader's zone, with UTC on hover.
    const verified = properties.locator('time[datetime="2026-06-01T08:00:00.000Z"]');
    expect(await verified.innerText()).toContain("4:00:00");
    expect(await verified.getAttribute("title")).toBe("2026-06-01T08:00:00.000Z");
    await canvas(page).locator("canvas").first().waitFor();
    await keepScreenshot(page, "graph-node");
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problems()).toEqual([]);
  }, 40_000);

  it("expands a node on click, with every other one in its place", async () => {
    const { page, problems } = await openScreen(annLink());
    await page.getByText("9 nodes, 8 relationships").waitFor();
    const before = await drawnNode(page, "Person", "bob");
    const law = await drawnNode(page, "Team", "law");
    await page.mouse.click(before.onPage.x, before.onPage.y);
    await page.getByText("10 nodes, 9 relationships").waitFor();
    expect((await drawnNode(page, "Person", "bob")).place).toEqual(before.place);
    expect((await drawnNode(page, "Team", "law")).place).toEqual(law.place);
    await page.getByRole("button", { name: "Collapse" }).click();
    await page.getByText("9 nodes, 8 relationships").waitFor();
    expect(problems()).toEqual([]);
  }, 20_000);

  it("filters by relationship, direction and type; the address keeps it, and the table has the same", async () => {
    const { page } = await openScreen(annLink());
    await page.getByText("9 nodes, 8 relationships").waitFor();
    const chip = (name: string) => page.getByRole("button", { name, exact: true });
    await page.getByLabel("Direction").selectOption("in");
    await page.getByText("2 nodes, 1 relationship").waitFor();
    await page.getByLabel("Direction").selectOption("out");
    await page.getByText("8 nodes, 7 relationships").waitFor();
    await chip("KNOWS").click();
    await chip("WROTE").click();
    await page.getByText("7 nodes, 6 relationships").waitFor();
    await page
      .getByRole("group", { name: "Nodes" })
      .getByRole("button", { name: /Document/ })
      .click();
    await page.getByText("2 nodes, 1 relationship").waitFor();
    expect(page.url()).toContain("direction=out");
    await page.getByRole("button", { name: "Table" }).click();
    const rows = table(page, "Relationships").getByRole("row");
    expect(await rows.count()).toBe(2);
    expect((await rows.nth(1).innerText()).replaceAll(/\s+/g, " ")).toContain("Person ann KNOWS Person bob");
    expect(await rows.nth(1).innerText()).toContain("2020");
    await keepScreenshot(page, "graph-table");
    expect(await accessibilityFindings(page)).toEqual([]);
    // A link with filters opens with them.
    const again = await openTab();
    await again.page.goto(page.url());
    await signIn(again.page);
    await table(again.page, "Relationships").getByText("WROTE").first().waitFor();
    expect(await again.page.getByLabel("Direction").inputValue()).toBe("out");
  }, 30_000);

  it("shows which types there are and how many of each", async () => {
    const { page, problems } = await openScreen(link("/graph"));
    await page.getByRole("navigation", { name: "Graph" }).getByRole("link", { name: "Types" }).click();
    const rows = async (name: string) =>
      (await table(page, name).getByRole("row").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    await table(page, "Types of nodes").getByText("Document").waitFor();
    expect(await rows("Types of nodes")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Document 150 0/),
        expect.stringMatching(/^Person 3 1/),
      ]),
    );
    expect(await rows("Types of relationships")).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Team OWNS Document 150/)]),
    );
    await page.getByRole("application").locator("canvas").first().waitFor();
    await keepScreenshot(page, "graph-types");
    expect(await accessibilityFindings(page)).toEqual([]);
    await table(page, "Types of nodes").getByRole("link", { name: "Model" }).click();
    await page.getByRole("link", { name: "lonely" }).click();
    await page.getByRole("heading", { name: "It has no neighbours" }).waitFor();
    expect(problems()).toEqual([]);
  }, 30_000);

  it("is copied as a link, a command and code, without a credential", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page } = await openScreen(annLink(), { permissions });
    const copies = page.getByRole("group", { name: "Copy the node" });
    const copied = async (name: string): Promise<string> => {
      await copies.getByRole("button", { name }).click();
      await copies.getByRole("button", { name: "Copied" }).waitFor();
      const text = await page.evaluate("navigator.clipboard.readText()");
      await copies.getByRole("button", { name }).waitFor();
      return String(text);
    };
    const [curl, code, address] = [await copied("curl"), await copied("Client code"), await copied("Link")];
    const { service_account_token: token } = environment();
    expect([curl, code, address].filter((text) => text.includes(token))).toEqual([]);
    const answer = execFileSync("sh", ["-c", curl], {
      encoding: "utf8",
      env: { ...process.env, TOKEN: token },
    });
    expect(JSON.parse(answer)).toMatchObject({ type: "Person", external_id: "ann", labels: ["Staff"] });
    expect(code).toContain(`admin.graph.node({"type":"Person","external_id":"ann"})`);
    await page.goto("about:blank");
    await page.goto(address);
    await signIn(page);
    await page.getByText("Ann Example").waitFor();
  }, 30_000);

  it("is used by keyboard alone", async () => {
    const { page } = await openTab();
    await page.goto(`${consoleUrl()}#${link("/graph")}`);
    await page.getByLabel("Service account token").waitFor();
    await page.keyboard.type(environment().service_account_token);
    await page.keyboard.press("Enter");
    await page.getByText(/nodes, and there are more|156 nodes/).waitFor();
    /** Goes on by Tab until what has the focus says so. */
    const tabTo = async (isThere: string): Promise<void> => {
      for (let at = 0; at < 60; at += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(`((e) => ${isThere})(document.activeElement)`)) return;
      }
      throw new Error(`not reached by Tab: ${isThere}`);
    };
    await tabTo("e.tagName === 'SELECT' && e.closest('form') !== null");
    await page.keyboard.type("Person");
    await tabTo("e.tagName === 'INPUT'");
    await page.keyboard.type("ann");
    await page.keyboard.press("Enter");
    await page.getByText("1 node", { exact: true }).waitFor();
    await tabTo("e.tagName === 'A' && e.textContent === 'ann'");
    await page.keyboard.press("Enter");
    await page.getByText("9 nodes, 8 relationships").waitFor();
    await canvas(page).waitFor();
    await tabTo("e.getAttribute('role') === 'application'");
    const selected = page.locator(".selected-node a");
    const seen = new Set<string>();
    for (const key of [
      "ArrowUp",
      "ArrowRight",
      "ArrowDown",
      "ArrowDown",
      "ArrowLeft",
      "ArrowLeft",
      "ArrowUp",
    ]) {
      await page.keyboard.press(key);
      seen.add(await selected.innerText());
    }
    expect(seen.size).toBeGreaterThan(2);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Collapse" }).waitFor();
  }, 30_000);

  it("shows what it has when a page of neighbours fails, and reads that page again", async () => {
    const { page } = await openScreen(link("/graph/node", { type: "Team", id: "tax" }));
    await page.getByText("has more than the 100 relationships").waitFor();
    await canvas(page).locator("canvas").first().waitFor();
    await keepScreenshot(page, "graph-hub");
    const refuse = async (route: { fulfill: (answer: object) => Promise<void> }) =>
      route.fulfill({
        status: 422,
        json: { code: "unprocessable", message: "refused for the test", errors: [] },
      });
    await page.route(/neighbours\?.*cursor=/, refuse);
    await page.getByRole("button", { name: "Show 500 more" }).click();
    await page.getByText("Could not load the neighbours of tax: some are missing here").waitFor();
    await page.getByText("101 nodes, 100 relationships").waitFor();
    await keepScreenshot(page, "graph-partial");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.unroute(/neighbours\?.*cursor=/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("152 nodes, 151 relationship").waitFor();
  }, 30_000);

  it("says what failed, and tries again", async () => {
    const { page } = await openTab();
    const nodes = /\/graph\/v1\/nodes\?/;
    await page.route(nodes, async (route) =>
      route.fulfill({
        status: 422,
        json: { code: "unprocessable", message: "refused for the test", errors: [] },
      }),
    );
    await page.goto(`${consoleUrl()}#${link("/graph")}`);
    await signIn(page);
    await page.getByText("Could not load the nodes").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.unroute(nodes);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "d000" }).waitFor();
    await page.goto(`${consoleUrl()}#${link("/graph/node", { type: "Person", id: "none" })}`);
    await page.getByRole("heading", { name: "No such node" }).waitFor();
  }, 20_000);

  it("tells an empty project how it gets its first nodes, by commands that work", async () => {
    const { page } = await openScreen(link("/graph", {}, empty.id));
    await page.getByRole("heading", { name: "This graph has no nodes yet" }).waitFor();
    await keepScreenshot(page, "graph-empty");
    expect(await accessibilityFindings(page)).toEqual([]);
    const commands = await page.getByLabel("First nodes as commands of a shell").innerText();
    execFileSync("sh", ["-c", commands], { env: { ...process.env, KEY: empty.clientKey } });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("link", { name: "atlas" }).waitFor();
  }, 20_000);

  it("is not offered to roles that do not read data, and says so at its address", async () => {
    const account = await newAccount("policy_author");
    try {
      const { page, requests } = await openTab();
      await page.goto(`${consoleUrl()}#${annLink()}`);
      await signIn(page, account.token);
      await page.getByRole("heading", { name: "You cannot read this graph" }).waitFor();
      const screens = page.getByRole("navigation", { name: "Screens" });
      expect(await screens.getByRole("link", { name: "Graph" }).count()).toBe(0);
      expect(requests().filter((url) => url.includes("/graph/v1/"))).toEqual([]);
      expect(await accessibilityFindings(page)).toEqual([]);
    } finally {
      await account.remove();
    }
  }, 20_000);

  it("asks to sign in again when the credential ends, and another administrator begins at the same node", async () => {
    const account = await newAccount("data_viewer");
    try {
      const { page } = await openTab();
      await page.goto(`${consoleUrl()}#${annLink()}`);
      await signIn(page, account.token);
      await page.getByText("9 nodes, 8 relationships").waitFor();
      await account.revoke();
      const again = page.getByRole("dialog", { name: "Sign in again" });
      const bob = await drawnNode(page, "Person", "bob");
      for (let turn = 0; turn < 20 && !(await again.isVisible()); turn += 1) {
        // Expanded and collapsed until the gateway knows that the credential has ended.
        await page.mouse.click(bob.onPage.x, bob.onPage.y);
        const collapse = page.getByRole("button", { name: "Collapse" });
        await page.waitForTimeout(250);
        if (!(await again.isVisible()) && (await collapse.isVisible())) await collapse.click();
      }
      await again.waitFor();
      await signIn(page);
      expect(await again.isVisible()).toBe(false);
      // What the former one expanded is gone: roles differ.
      await page.getByText("9 nodes, 8 relationships").waitFor();
      expect(page.url()).toContain("id=ann");
    } finally {
      await account.remove();
    }
  }, 30_000);

  it("fits a narrow window", async () => {
    const { page, problems } = await openScreen(annLink(), narrow);
    await canvas(page).locator("canvas").first().waitFor();
    await keepScreenshot(page, "graph-node-390");
    expect(await overflows(page)).toBe(false);
    await page.getByRole("button", { name: "Table" }).click();
    await table(page, "Relationships").waitFor();
    expect(await overflows(page)).toBe(false);
    await page.getByRole("link", { name: "Types" }).click();
    await table(page, "Types of nodes").waitFor();
    await keepScreenshot(page, "graph-types-390");
    expect(await overflows(page)).toBe(false);
    await page.getByRole("link", { name: "Nodes", exact: true }).click();
    await table(page, "Nodes").waitFor();
    await keepScreenshot(page, "graph-list-390");
    expect(await overflows(page)).toBe(false);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(problems()).toEqual([]);
  }, 30_000);
});

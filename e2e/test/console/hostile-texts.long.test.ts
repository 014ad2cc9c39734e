import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openScreen, type Tab } from "../../src/console/browser.ts";
import { environment } from "../../src/environment.ts";

/** Texts of a graph and of an address that would be more than texts, where a page let them. */
const ids = [
  `<img src=x onerror="alert(1)">`,
  `<script>alert(1)</script>`,
  `"><svg onload=alert(1)>`,
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "gpj.\u202Eexe",
  "\u2066isolated",
  "{{constructor.constructor('alert(1)')()}}",
  "__proto__",
  "constructor",
  "toString",
  "👩‍👩‍👧‍👦".repeat(20),
  "long".repeat(60),
  "' OR 1=1 //",
  "line\nend",
];

const cypher =
  "MATCH (subject)-[:OWNS]->(resource) WHERE resource.external_id <> '</script><img src=x onerror=alert(1)>'";

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "hostile",
    policies: {
      "may-read": {
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Person" },
        actions: ["READ"],
        resource: { type: "Document" },
        condition: { cypher },
      },
    },
    graph: {
      nodes: [
        { type: "Person", external_id: "ann" },
        ...ids.map((id) => ({ type: "Document", external_id: id })),
      ],
      relationships: ids.map((id) => ({
        source: { type: "Person", external_id: "ann" },
        type: "OWNS",
        target: { type: "Document", external_id: id },
      })),
    },
  });
}, 60_000);
afterAll(() => project?.remove());

const open = async (question: Readonly<Record<string, string>>): Promise<Tab> => {
  const search = new URLSearchParams({ project: project.id, ...question }).toString().replaceAll("+", "%20");
  const tab = await openScreen(`/playground?${search}`);
  await tab.page.getByLabel("paste an application key").fill(project.clientKey);
  await tab.page.getByRole("button", { name: "Use key" }).click();
  return tab;
};

const ask = (tab: Tab) => tab.page.getByRole("button", { name: "Ask", exact: true }).click();

const isTooWide = (tab: Tab) =>
  tab.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

const question = { subject_type: "Person", subject: "ann", action: "READ", resource_type: "Document" };

describeInBrowser("texts of others in the console", () => {
  it("are texts in tables, paths and policies", async () => {
    const tab = await open({ ...question, mode: "resources" });
    await ask(tab);
    await tab.page.getByRole("status").getByText(`${ids.length} found`).waitFor();
    const shown = await tab.page.locator("td bdi").allInnerTexts();
    for (const id of ids.filter((each) => /^[\x20-\x7e]{1,150}$/.test(each))) expect(shown).toContain(id);
    expect(shown).toContain("gpj.⟨U+202E⟩exe");
    expect(shown).toContain("line␊end");
    expect(await isTooWide(tab)).toBe(false);
    await keepScreenshot(tab.page, "hostile-texts");
    await tab.page.getByRole("row", { name: "onerror" }).getByRole("button", { name: "Why?" }).click();
    await tab.page.getByText("Allowed").waitFor();
    const path = tab.page.getByRole("list", { name: "Granting path" });
    expect(await path.innerText()).toContain(`Document ${ids[0]}`);
    expect(await tab.page.getByRole("region", { name: "Condition of the policy" }).innerText()).toBe(cypher);
    expect(await tab.page.locator("main img, main script, main b").count()).toBe(0);
    expect(await isTooWide(tab)).toBe(false);
    expect(tab.problems()).toEqual([]);
  }, 40_000);

  it("are texts in an address and in its answer", async () => {
    const tab = await open({ ...question, subject: ids[0] ?? "", resource: ids[1] ?? "" });
    const others = ["x".repeat(10_000), "a\u0000b", "a\uD83D".toWellFormed(), "__proto__", "\u202Eabc"];
    for (const id of [undefined, ...others]) {
      if (id !== undefined) {
        await tab.page.getByLabel("Subject id").fill(id);
        await tab.page.getByLabel("Resource id").fill(id);
      }
      const answered = tab.page.waitForResponse((response) =>
        response.url().endsWith("/access/v1/evaluation"),
      );
      await ask(tab);
      await answered;
      await tab.page.getByText(/^(Denied|Not decided)$/).waitFor();
      expect(await isTooWide(tab)).toBe(false);
    }
    expect(await accessibilityFindings(tab.page)).toEqual([]);
    expect(tab.problems()).toEqual([]);
  }, 40_000);

  it("of an address are no credentials, and no screens", async () => {
    const tab = await open({ ...question, token: "secret-of-an-address", mode: "javascript:alert(1)" });
    await ask(tab);
    await tab.page.getByText("Required", { exact: true }).waitFor();
    await tab.page.getByLabel("Resource id").fill("d1");
    await ask(tab);
    await tab.page.getByText("Denied").waitFor();
    expect(tab.page.url()).not.toContain("secret-of-an-address");
    expect(tab.problems()).toEqual([]);
  }, 40_000);
});

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openScreen } from "../../src/console/browser.ts";
import { drawnNode } from "../../src/console/drawn-node.ts";
import { environment } from "../../src/environment.ts";

/** What a client may have written into a graph, on the graph screen: shown as text, and nothing else happens. */
const ids = [
  "<img src=x onerror=alert(1)>",
  "javascript:alert(1)",
  "../../..",
  "..",
  "\u202Egnp.exe\u202C",
  "👩‍👩‍👧 emoji 😀",
  "__proto__",
  "constructor",
  "a\nb\tc",
  "w".repeat(200),
];
const values = [
  ...ids,
  "<script>alert(1)</script>",
  '"><svg onload=alert(1)>',
  "x".repeat(10_000),
  "</textarea>{{7*7}}",
];

const hub = { type: "constructor", external_id: "hub" };
const named = (external_id: string) => ({ type: "toString", external_id });

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "graph-hostile",
    graph: {
      nodes: [
        {
          ...hub,
          properties: values.map((value, at) => ({
            type: `p${at}`,
            value,
            metadata: { source: value.slice(0, 60), custom_metadata: { note: value.slice(0, 300) } },
          })),
        },
        ...ids.map(named),
      ],
      relationships: ids.map((id, at) => ({
        source: hub,
        target: named(id),
        type: "PROTOTYPE",
        properties: [{ type: "note", value: values[at] ?? "" }],
      })),
    },
  });
}, 60_000);
afterAll(() => project?.remove());

const link = (id: string, type = "toString") =>
  `/graph/node?${new URLSearchParams({ project: project.id, type, id: JSON.stringify(id) }).toString().replaceAll("+", "%20")}`;

/** Elements that only a text taken for HTML could have made; asked of the page itself. */
const strangers = `document.querySelectorAll("#root script, #root img, #root iframe, [onerror], [onload], a[href^='javascript:']").length`;

/** Cells whose text runs over the next one. */
const tornCells = `[...document.querySelectorAll(".table-scroll td")].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length`;

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

describeInBrowser("the graph screen with hostile data", () => {
  it.each([
    [1280, "graph-hostile"],
    [390, "graph-hostile-390"],
  ])(
    "shows texts as texts, %i pixels wide",
    async (width, picture) => {
      const { page, problems } = await openScreen(link("hub", "constructor"), {
        viewport: { width, height: 860 },
      });
      await page.getByText(`${ids.length + 1} nodes, ${ids.length} relationships`).waitFor();
      for (const id of ids) await drawnNode(page, "toString", id);
      const properties = page.getByRole("region", { name: "Properties", exact: true });
      await properties.getByText("<img src=x onerror=alert(1)>").first().waitFor();
      await properties.getByText("⟨U+202E⟩gnp.exe⟨U+202C⟩").first().waitFor();
      await keepScreenshot(page, picture);
      expect(await overflows(page)).toBe(false);
      await page.getByRole("button", { name: "Table" }).click();
      await page.getByRole("region", { name: "Relationships" }).getByText("__proto__").first().waitFor();
      await keepScreenshot(page, `${picture}-table`);
      expect(await overflows(page)).toBe(false);
      expect(await page.evaluate(tornCells)).toBe(0);
      expect(await page.evaluate(strangers)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problems()).toEqual([]);
    },
    60_000,
  );

  it("opens every node by its link, whatever its id is", async () => {
    const { page, problems } = await openScreen(
      `/graph?project=${encodeURIComponent(project.id)}&type=toString`,
    );
    const list = page.getByRole("region", { name: "Nodes", exact: true });
    await list.getByRole("link").first().waitFor();
    expect(await list.getByRole("link").count()).toBe(ids.length);
    for (const id of ids) {
      await page.evaluate(`location.hash = ${JSON.stringify(link(id))}`);
      await page.getByText("2 nodes, 1 relationship").waitFor();
      const shown = await page.getByRole("heading", { level: 2 }).first().innerText();
      expect(shown).toContain(
        id.startsWith("w") ? "www" : id.slice(0, 2).replace("\u202E", "⟨U+202E⟩").replace("\n", "␊"),
      );
      await page.evaluate("history.back()");
      await list.getByRole("link").first().waitFor();
    }
    expect(await page.evaluate(strangers)).toBe(0);
    expect(problems()).toEqual([]);
  }, 60_000);
});

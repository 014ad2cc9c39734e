import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { fillParameters, openQueries, openRun, run } from "../../src/console/archive.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { isTooWide, problemsOf } from "../../src/console/policy-editor.ts";
import { environment } from "../../src/environment.ts";

/** Texts of queries, policies and graphs that would be more than texts, where a page let them; and long ones. */
const markup = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
const hostile = [
  markup,
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "gpj.\u202Eexe",
  "a\u0000b",
  "__proto__",
  "constructor",
  "toString",
  "👩‍👩‍👧‍👦".repeat(20),
  "{{constructor.constructor('alert(1)')()}}",
  "x".repeat(10_000),
];

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "query-texts",
    policies: {
      "may-read": {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: {
          cypher: "MATCH (subject:_Application) MATCH (book:Book)",
          filter: { attribute: "book.property.title", operator: "<>", value: markup },
        },
        allowed_reads: { nodes: ["book.*"] },
      },
    },
    queries: {
      titles: {
        policy: "may-read",
        query: {
          nodes: ["book.property.title", "book.property.constructor"],
          filter: {
            operator: "OR",
            operands: [
              { attribute: "book.property.title", operator: "=", value: "$title" },
              ...hostile
                .slice(1)
                .map((value) => ({ attribute: "book.property.title", operator: "=", value })),
            ],
          },
        },
      },
    },
    graph: {
      nodes: hostile.map((value, at) => ({
        type: "Book",
        external_id: `b${at}`,
        properties: [
          { type: "title", value },
          { type: "constructor", value },
        ],
      })),
    },
  });
  const { admin } = project;
  const { id: policy_id } = await admin.policies.get("may-read");
  await admin.queries.create({
    name: "hostile-text",
    policy_id,
    display_name: `${markup} ${hostile[3]}`,
    description: `${markup}\n${"long ".repeat(2_000)}`,
    status: "DRAFT",
    query: `${markup}\r\n\u202E{"__proto__": ${"x".repeat(10_000)}`,
  });
  await admin.queries.create({
    name: "hostile-paths",
    policy_id,
    status: "DRAFT",
    query: JSON.stringify({
      nodes: hostile,
      filter: hostile.map((value) => ({ attribute: value, operator: "=", value })),
      upsert_nodes: hostile.map((name) => ({ name, type: name })),
    }),
  });
}, 60_000);
afterAll(() => project?.remove());

/** What a page has that no text may have made. */
const elements = (page: Page) =>
  page.locator("img:not(.cm-widgetBuffer), script:not([src]), iframe, a[href^='javascript']").count();

const widths = [1280, 390];

describeInBrowser("hostile texts of queries", () => {
  it.each(widths)(
    "are texts in the list and the form, %i points wide",
    async (width) => {
      const { page, problems } = await openQueries("/queries", project, { viewport: { width, height: 860 } });
      await page.getByText(markup).first().waitFor();
      expect(await page.getByText("⟨U+202E⟩").count()).toBeGreaterThan(0);
      expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      await keepScreenshot(page, `hostile-queries-${width}`);
      await page.getByRole("link", { name: "hostile-paths" }).click();
      await problemsOf(page).getByText("Error", { exact: true }).first().waitFor();
      expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      expect(await accessibilityFindings(page)).toEqual([]);
      await keepScreenshot(page, `hostile-paths-${width}`);
      await page.getByRole("link", { name: "All queries" }).click();
      await page.getByRole("link", { name: "hostile-text" }).click();
      await page.getByRole("textbox", { name: "Query as JSON" }).waitFor();
      await problemsOf(page).getByText("Error", { exact: true }).first().waitFor();
      expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      expect(problems()).toEqual([]);
    },
    90_000,
  );

  it.each(widths)(
    "are texts in rows, filters and explanations, %i points wide",
    async (width) => {
      const { page, problems } = await openRun("titles", project, { viewport: { width, height: 860 } });
      await fillParameters(page, { title: markup });
      await run(page);
      // The title that the policy leaves out is in its filter alone.
      await page
        .getByRole("status")
        .getByText(`${hostile.length - 1} rows`)
        .waitFor();
      await page.locator("mark").first().waitFor();
      expect(await page.getByText("gpj.⟨U+202E⟩exe").count()).toBeGreaterThan(0);
      expect(await page.getByRole("cell", { name: "__proto__" }).count()).toBe(2);
      expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      expect(await accessibilityFindings(page)).toEqual([]);
      await keepScreenshot(page, `hostile-rows-${width}`);
      for (const text of [
        "<script>",
        '{"a": "\u202E"}',
        `{"title": ${JSON.stringify("y".repeat(10_000))}}`,
      ]) {
        await page.getByLabel("Parameters, as JSON").fill(text);
        await run(page);
        await page
          .locator(".run")
          .getByText(/Enter a JSON object|Not run|\d rows/)
          .first()
          .waitFor();
        expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      }
      expect(problems()).toEqual([]);
    },
    90_000,
  );

  it("of an address are no credentials and no tabs", async () => {
    const search = new URLSearchParams({
      tab: "javascript:alert(1)",
      params: markup,
      token: "secret-of-an-address",
    });
    const { page, problems } = await openQueries(
      `/queries/titles?${search.toString().replaceAll("+", "%20")}`,
      project,
    );
    await page.getByRole("tab", { name: "Query", selected: true }).waitFor();
    await page.getByRole("tab", { name: "Run" }).click();
    expect(await page.getByLabel("Parameters, as JSON").inputValue()).toBe(markup);
    expect(await page.getByLabel("Token of the person").inputValue()).toBe("");
    expect(page.url()).not.toContain("secret-of-an-address");
    await page.goto(page.url().replace("/queries/titles", "/queries/no-such-query"));
    await page.getByRole("heading", { name: "There is no such query" }).waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);
});

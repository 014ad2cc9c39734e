import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { mayFlyCypher, policyOf } from "../../src/console/flight-school.ts";
import {
  conditionOf,
  isTooWide,
  openPolicies,
  problemsOf,
  tab,
  typeCondition,
} from "../../src/console/policy-editor.ts";
import { environment } from "../../src/environment.ts";

/** Texts of policies that would be more than texts, where a page let them; and long ones. */
const markup = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
const hostile = [
  markup,
  "javascript:alert(1)",
  "gpj.\u202Eexe",
  "a\u0000b",
  "__proto__",
  "👩‍👩‍👧‍👦".repeat(5),
  "{{constructor}}",
];

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "policy-texts",
    graph: { nodes: [{ type: "Pilot", external_id: markup }] },
  });
  const { admin } = project;
  const quoted = hostile.map((text) => JSON.stringify(text)).join(", ");
  await admin.policies.create({
    name: "hostile-fields",
    display_name: `${markup} ${hostile[2]}`,
    description: `${markup}\n${"long ".repeat(2_000)}`,
    status: "DRAFT",
    tags: hostile.map((text) => text.slice(0, 60)),
    policy: policyOf("FLY", `MATCH (subject), (resource) WHERE subject.external_id IN [${quoted}]`, {
      operator: "OR",
      operands: hostile.map((value) => ({ attribute: "$token.sub", operator: "=", value })),
    }),
  });
  await admin.policies.create({
    name: "hostile-text",
    status: "DRAFT",
    policy: `${markup}\r\n\u202E{"__proto__": ${"x".repeat(10_000)}`,
  });
}, 60_000);
afterAll(() => project?.remove());

/** What a page has that no text may have made. */
const elements = (page: Page) =>
  page.locator("img:not(.cm-widgetBuffer), script:not([src]), iframe, a[href^='javascript']").count();

/** Milliseconds that the main thread of the page has computed: others on the machine do not count. */
const cpuClock = async (page: Page): Promise<() => Promise<number>> => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
  };
};

const widths = [1280, 390];

describeInBrowser("texts of policies", () => {
  it.each(widths)(
    "are texts in the list, %i points wide",
    async (width) => {
      const { page, problems } = await openPolicies("/policies", project.id, {
        viewport: { width, height: 860 },
      });
      await page.getByRole("link", { name: "hostile-fields" }).waitFor();
      await page.getByText(markup).first().waitFor();
      expect(await page.getByText("⟨U+202E⟩").count()).toBeGreaterThan(0);
      expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      await keepScreenshot(page, `hostile-policies-${width}`);
      expect(problems()).toEqual([]);
    },
    60_000,
  );

  it.each(widths)(
    "are texts in the form, %i points wide",
    async (width) => {
      const { page, problems } = await openPolicies("/policies/hostile-fields", project.id, {
        viewport: { width, height: 860 },
      });
      await conditionOf(page).waitFor();
      expect(await conditionOf(page).innerText()).toContain("⟨U+202E⟩");
      expect(await page.getByLabel("Value").first().inputValue()).toBe(markup);
      await page.getByText("invisible characters").getByText("gpj.⟨U+202E⟩exe").waitFor();
      expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      await keepScreenshot(page, `hostile-policy-${width}`);
      await typeCondition(page, "MATCH (subject), (resource)");
      await page.getByRole("button", { name: "Save…" }).click();
      await page.getByRole("dialog").locator(".cm-deletedChunk").first().waitFor();
      expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problems()).toEqual([]);
    },
    60_000,
  );

  it("that are no policy are edited as they are, and come back as they were", async () => {
    const { page, problems } = await openPolicies("/policies/hostile-text", project.id);
    const editor = page.getByRole("textbox", { name: "Policy as JSON" });
    await editor.waitFor();
    await problemsOf(page).getByText("Error", { exact: true }).first().waitFor();
    expect(await page.getByRole("button", { name: "Edit in the form" }).isDisabled()).toBe(true);
    await editor.click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("!");
    await page.getByText("Not saved").waitFor();
    await page.keyboard.press("Backspace");
    await page.getByText("Not saved").waitFor({ state: "detached" });
    await tab(page, "Versions");
    await page.getByText("There is one version").waitFor();
    expect([await elements(page), await isTooWide(page)]).toEqual([0, false]);
    expect(problems()).toEqual([]);
  }, 60_000);

  it("of 20,000 characters are typed into without blocking", async () => {
    const { page, problems } = await openPolicies("/policies/-/new", project.id);
    await conditionOf(page).waitFor();
    const long = `${mayFlyCypher}\n${`AND subject.property.hours >= 100 // ${"long ".repeat(10)}\n`.repeat(230)}`;
    await typeCondition(page, long.slice(0, 19_800));
    const cpuMs = await cpuClock(page);
    const spent: number[] = [];
    for (const key of " AND subject.property.hours = 1 AND true ") {
      const before = await cpuMs();
      await page.keyboard.type(key);
      spent.push((await cpuMs()) - before);
    }
    // One of the forty may have the browser's collection of garbage in it.
    const [worst, next] = spent.toSorted((one, other) => other - one);
    expect(next).toBeLessThan(50);
    expect(worst).toBeLessThan(100);
    expect(problems()).toEqual([]);
  }, 60_000);
});

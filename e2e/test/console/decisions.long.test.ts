import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { AuditBatch } from "@ikg/client";
import type { TestProject } from "@ikg/client/testing";
import type { Page, Route } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import {
  batchAbout,
  createAuditedProject,
  mayShare,
  openDecisions,
  recordDecisions,
} from "../../src/console/audit-trail.ts";
import { consoleUrl, describeInBrowser, keepScreenshot, openTab, signIn } from "../../src/console/browser.ts";
import { isTooWide } from "../../src/console/policy-editor.ts";

/** The decisions screen with any texts, without a mouse, on a narrow screen, with other roles, and where something is late or wrong. */
const texts = [
  "<img src=x onerror=alert(1)>",
  "javascript:alert(1)",
  "\u202Egnp.exe\u202C",
  "👩‍👩‍👧 😀",
  "__proto__",
  "constructor",
  "toString",
  "a\nb\tc",
  "w".repeat(200),
];

let project: TestProject;

beforeAll(async () => {
  project = await createAuditedProject("decisions-long");
  await recordDecisions(project, "ann");
  await recordDecisions(project, "bob");
  const { ikg } = project;
  for (const id of texts) {
    const params = { [id]: id, long: "x".repeat(10_000) };
    await ikg.as({ type: "Person", id }).can("SHARE", { type: "Document", id }, { params });
  }
  // One call with three decisions, by the client's own batch.
  await Promise.all(
    ["carl", "dora", "emil"].map((id) =>
      ikg.as({ type: "Person", id }).decide("SHARE", { type: "Document", id: "d1" }),
    ),
  );
  await batchAbout(project, "emil");
}, 90_000);
afterAll(() => project?.remove());

/** Elements that only a text taken for HTML could have made; asked of the page itself. */
const strangers = `document.querySelectorAll("#root script, #root img, #root iframe, [onerror], [onload], a[href^='javascript:']").length`;

const rows = (page: Page) => page.getByRole("region", { name: "Audit records" }).getByRole("row");

describeInBrowser("recorded decisions", () => {
  it.each([
    [1280, "decisions-hostile"],
    [390, "decisions-hostile-390"],
  ])(
    "show texts as texts, %i pixels wide",
    async (width, picture) => {
      const viewport = { width, height: 860 };
      const { page, problems } = await openDecisions("/decisions?kind=all", project.id, { viewport });
      await rows(page).filter({ hasText: "onerror" }).first().waitFor();
      expect(await isTooWide(page)).toBe(false);
      await keepScreenshot(page, picture);
      await page.getByLabel("Subject").fill("<img");
      await page.getByRole("button", { name: "Filter" }).click();
      await page
        .getByRole("link", { name: /onerror/ })
        .first()
        .click();
      await page.getByRole("region", { name: "The record as JSON" }).waitFor();
      await page.getByText("The record was truncated").waitFor();
      expect(await isTooWide(page)).toBe(false);
      expect(await page.evaluate(strangers)).toBe(0);
      await keepScreenshot(page, `${picture}-record`);
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problems()).toEqual([]);
    },
    60_000,
  );

  it("of a batch are rows of their own, and replayed one by one", async () => {
    const { page, problems } = await openDecisions("/decisions?subject=carl", project.id);
    await rows(page).filter({ hasText: "Person carl SHARE Document d1" }).waitFor();
    await rows(page).getByRole("link", { name: /carl/ }).click();
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByText("Today's answer is the recorded one.").first().waitFor();
    expect(problems()).toEqual([]);
  }, 40_000);

  it("are found by keyboard alone, a link leads to the same list", async () => {
    const { page, problems } = await openDecisions("/decisions?period=7d", project.id);
    await rows(page).nth(1).waitFor();
    await page.getByLabel("Time").focus();
    const focused = "document.activeElement?.labels?.[0]?.textContent";
    for (let turn = 0; turn < 6 && (await page.evaluate(focused)) !== "Subject"; turn++)
      await page.keyboard.press("Tab");
    await page.keyboard.type("bob");
    await page.keyboard.press("Enter");
    await page.waitForFunction(`location.hash.includes("subject=bob")`);
    await rows(page).filter({ hasText: "Person ann" }).first().waitFor({ state: "detached" });
    // The focus stays where it was.
    expect(await page.evaluate(focused)).toBe("Subject");
    const isRecordLink = `document.activeElement?.matches("a") && document.activeElement.textContent.includes("Person bob")`;
    for (let turn = 0; turn < 25 && !(await page.evaluate(isRecordLink)); turn++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "In full" }).waitFor();
    await page.goBack();
    await page.waitForFunction(`location.hash.includes("subject=bob")`);
    expect(await page.getByLabel("Subject").inputValue()).toBe("bob");
    expect(await page.getByLabel("Time").inputValue()).toBe("7d");
    expect(problems()).toEqual([]);
  }, 60_000);

  it("that would be decided otherwise today are told apart, with what made the difference", async () => {
    const { page, problems } = await openDecisions("/decisions", project.id);
    await rows(page).filter({ hasText: "Person ann SHARE Document d1" }).waitFor();
    const [policy] = await project.admin.policies.list();
    if (policy === undefined) throw new Error("no policy");
    const editors = { ...mayShare, condition: { cypher: "MATCH (subject)-[:EDITED]->(resource)" } };
    await project.admin.policies.update(policy.id, (record) => ({
      ...record,
      policy: JSON.stringify(editors),
    }));
    // It takes up to two seconds until every process has the policy.
    await page.waitForTimeout(2_000);
    await page.getByRole("button", { name: "Compare with today" }).click();
    await page.getByText("1 policy changed").waitFor();
    await page.getByLabel("Only what differs").check();
    expect(await rows(page).count()).toBe(2);
    expect(await rows(page).nth(1).innerText()).toMatch(/Person ann.*Policy changed\s*now denied/s);
    await keepScreenshot(page, "decisions-replayed");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole("link", { name: /Person ann/ }).click();
    await page.getByRole("link", { name: "Explain today's decision" }).click();
    await page.getByRole("heading", { name: "Playground" }).waitFor();
    expect(await page.getByLabel("Subject id").inputValue()).toBe("ann");
    expect(problems()).toEqual([]);
  }, 60_000);

  it("are listed where something is late, empty or wrong", async () => {
    const { page, problems } = await openDecisions("/decisions/verify", project.id);
    let answer: (route: Route) => Promise<void> = (route) => route.continue();
    await page.route("**/audit/v1/logs*", (route) => answer(route));
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    answer = async (route) => {
      await released;
      await route.continue();
    };
    await page.getByRole("link", { name: "Records", exact: true }).click();
    await page.getByText("Loading the audit records…").waitFor();
    release(undefined);
    await rows(page).nth(1).waitFor();
    // Not one that the client repeats by itself.
    answer = (route) => route.fulfill({ status: 403, json: { message: "the role auditor is missing" } });
    await page.getByLabel("Time").selectOption("7d");
    await page.getByText("Could not load the audit records").waitFor();
    answer = (route) => route.continue();
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).nth(1).waitFor();
    await page.getByLabel("Actor").fill("no such actor");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No record matches" }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Time").selectOption("between");
    await page.getByLabel("From").fill("2020-01-01T00:00");
    await page.getByLabel("Until").fill("2020-01-02T00:00");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No records in this period" }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const unknown = `#/decisions/record?project=${project.id}&id=none`;
    await page.evaluate(`location.hash = ${JSON.stringify(unknown)}`);
    await page.getByRole("heading", { name: "No such record" }).waitFor();
    expect(problems()).toEqual([]);
  }, 90_000);

  it("are not said to be none where only a part of the time was searched", async () => {
    const { page, problems } = await openDecisions("/decisions/verify", project.id);
    // The first page has as many records as are read at a time, none of which matches.
    await page.route("**/audit/v1/logs*", async (route) => {
      if (new URL(route.request().url()).searchParams.has("cursor")) return route.continue();
      const body = (await (await route.fetch()).json()) as { items: readonly AuditBatch[] };
      const [batch] = body.items;
      const record = { id: "other", time: new Date().toISOString(), type: "audit.authorization.evaluation" };
      const data = Array.from({ length: 10_000 }, () => record);
      await route.fulfill({
        json: { items: [{ ...batch, data }], has_more: true, next_cursor: "not-accepted" },
      });
    });
    await page.evaluate(`location.hash = "#/decisions?project=${project.id}&subject=ann"`);
    await page.getByRole("heading", { name: "No match so far" }).waitFor();
    await page.getByText("10,000 records of this period were searched").waitFor();
    await page
      .getByRole("status")
      .getByText("earlier records of this period have not been searched yet")
      .waitFor();
    expect(await page.getByText("No record matches").count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "decisions-partial");
    // The service refuses a cursor that is none: what was searched stays, and why there is no more is said.
    await page.getByRole("button", { name: "Search earlier records" }).click();
    await page.getByText("Could not load earlier records").waitFor();
    await page
      .getByRole("status")
      .getByText("earlier records of this period could not be searched")
      .waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it.each([
    ["auditor", true],
    ["viewer", false],
  ] as const)(
    "are for the role %s: %s",
    async (role, isOffered) => {
      const { token, remove } = await newAccount(role, project.id);
      try {
        const { page, problems } = await openTab();
        await page.goto(`${consoleUrl()}#/decisions?project=${project.id}`);
        await signIn(page, token);
        const navigation = page.getByRole("navigation", { name: "Screens" });
        if (isOffered) {
          await rows(page).nth(1).waitFor();
          await page.getByRole("link", { name: "Verify the chain" }).click();
          await page.getByRole("button", { name: "Verify the chain" }).click();
          await page.getByText("The chain is unbroken.").waitFor();
        } else await page.getByText("You cannot read audit records").waitFor();
        expect(await navigation.getByRole("link", { name: "Decisions" }).count()).toBe(isOffered ? 1 : 0);
        expect(problems()).toEqual([]);
      } finally {
        await remove();
      }
    },
    40_000,
  );
});

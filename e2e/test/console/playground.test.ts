import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import {
  consoleUrl,
  describeInBrowser,
  keepScreenshot,
  openScreen,
  openTab,
  signIn,
  type Tab,
} from "../../src/console/browser.ts";
import { environment } from "../../src/environment.ts";
import { runIkg } from "../../src/run-ikg.ts";

/** May X do Y with Z, and why: asked as a person would, by clicking and typing. */
const mayRead = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: {
    cypher:
      "MATCH (subject)-[:WORKS_FOR]->(:Team)-[:OWNS]->(resource)\nWHERE resource.property.level <= $level",
  },
};
const maySign = {
  ...mayRead,
  actions: ["SIGN"],
  condition: {
    cypher: "MATCH (subject)-[:WORKS_FOR]->(:Team)-[:OWNS]->(resource)",
    filter: {
      operator: "AND",
      operands: [
        { attribute: "$token.scope", operator: "CONTAINS", value: "sign" },
        { attribute: "$token.sub", operator: "=", value: "ann" },
      ],
    },
  },
};
const mayShare = {
  ...mayRead,
  actions: ["SHARE"],
  condition: { cypher: "MATCH (subject)-[:WORKS_FOR]->(:Team)-[:OWNS]->(resource)" },
};
const mayShareOwn = { ...mayShare, condition: { cypher: "MATCH (subject)-[:WROTE]->(resource)" } };

const node = (type: string, external_id: string, level: number) => ({
  type,
  external_id,
  properties: [{ type: "level", value: level }],
});
const relationship = (source: [string, string], type: string, target: [string, string]) => ({
  source: { type: source[0], external_id: source[1] },
  type,
  target: { type: target[0], external_id: target[1] },
});

let project: TestProject;

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "playground",
    people: "Person",
    policies: {
      "may-read": mayRead,
      "may-sign": maySign,
      "may-share": mayShare,
      "may-share-own": mayShareOwn,
    },
    graph: {
      nodes: [
        node("Person", "ann", 3),
        node("Person", "bob", 1),
        node("Team", "law", 1),
        ...Array.from({ length: 120 }, (_, at) => node("Document", `d${at}`, at)),
      ],
      relationships: [
        relationship(["Person", "ann"], "WORKS_FOR", ["Team", "law"]),
        ...Array.from({ length: 120 }, (_, at) =>
          relationship(["Team", "law"], "OWNS", ["Document", `d${at}`]),
        ),
      ],
    },
  });
}, 60_000);
afterAll(() => project?.remove());

const link = (question: Readonly<Record<string, string>>): string =>
  `/playground?${new URLSearchParams({ project: project.id, ...question }).toString().replaceAll("+", "%20")}`;

const ask = (page: Page) => page.getByRole("button", { name: "Ask", exact: true }).click();

const pasteKey = async (page: Page): Promise<void> => {
  await page.getByLabel("paste the key of an application").fill(project.clientKey);
  await page.getByRole("button", { name: "Use it" }).click();
};

const open = async (question: Readonly<Record<string, string>>, options = {}): Promise<Tab> => {
  const tab = await openScreen(link(question), options);
  await pasteKey(tab.page);
  return tab;
};

const shareQuestion = {
  subject_type: "Person",
  subject: "ann",
  action: "SHARE",
  resource_type: "Document",
  resource: "d1",
};

describeInBrowser("the playground", () => {
  it("decides with a key of its own, and draws the path that the API explains", async () => {
    const { page, problems } = await openScreen(link({}));
    await page.getByRole("button", { name: "Make a key for an hour" }).click();
    await page.getByRole("button", { name: "may-share", exact: true }).click();
    await page.getByLabel("Subject id").fill("ann");
    await page.getByLabel("Resource id").fill("d1");
    await ask(page);
    await page.getByText("Allowed").waitFor();
    const { context } = await project.ikg
      .as({ type: "Person", id: "ann" })
      .decide("SHARE", { type: "Document", id: "d1" }, { explain: true });
    const path = context?.explanation?.candidates.find(({ outcome }) => outcome === "granted")?.path;
    const shown = await page
      .getByRole("list", { name: "Granting path" })
      .getByRole("listitem")
      .allInnerTexts();
    expect(shown).toEqual(
      path?.relationships.map(
        ({ type, source, target }) => `${source.type} ${source.id} —${type}→ ${target.type} ${target.id}`,
      ),
    );
    expect(shown).toHaveLength(2);
    await page.locator(".drawing canvas").first().waitFor();
    // Two policies are about this: the one that decided is open, the other says why not.
    await page.getByText("the graph matches its pattern from").waitFor();
    expect(await page.getByRole("region", { name: "Condition of the policy" }).innerText()).toContain(
      "WORKS_FOR",
    );
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "playground");
    expect(problems()).toEqual([]);
  }, 40_000);

  it("marks the leaf that failed in the text of the policy, and says that a token is missing", async () => {
    const { page, problems } = await open({ ...shareQuestion, action: "SIGN" });
    await ask(page);
    await page.getByText("Denied").waitFor();
    const marked = await page.locator("mark").allInnerTexts();
    expect(marked.map((text) => JSON.parse(text))).toEqual([
      { attribute: "$token.scope", operator: "CONTAINS", value: "sign" },
    ]);
    await page.getByText("It reads a token, and none was sent").waitFor();
    await page.getByText("Token, parameters and tags", { exact: true }).click();
    const token = await project.signIn("ann", { scope: "sign" });
    await page.getByLabel("Token of the person").fill(token);
    await ask(page);
    await page.getByText("Allowed").waitFor();
    expect(page.url()).not.toContain(token);
    expect(problems()).toEqual([]);
  }, 40_000);

  it("marks the part of the pattern that nothing matches", async () => {
    const { page } = await open({ ...shareQuestion, subject: "bob" });
    await ask(page);
    await page.getByText("Denied").waitFor();
    expect(await page.locator("mark").first().innerText()).toMatch(/WORKS_FOR|WROTE/);
    await keepScreenshot(page, "playground-denied");
  }, 40_000);

  it("says what a question lacks, and what the API answers", async () => {
    const { page, problems } = await open({ ...shareQuestion, action: "READ", resource: "" });
    await ask(page);
    await page.getByText("This is missing").waitFor();
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

  it("decides many at once, of which some cannot be", async () => {
    const lines = [
      "Person ann may SHARE Document d1",
      "Person bob may SHARE Document d1",
      "Person ann may READ Document d1",
      'Person ann may READ Document d1 {"level": 9}',
    ];
    const { page, problems } = await open({ mode: "batch", lines: lines.join("\n") });
    await ask(page);
    await page.getByRole("status").getByText("2 allowed, 1 denied, 1 not decided").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "playground-batch");
    await page.getByRole("row", { name: "Person bob" }).getByRole("button", { name: "Why?" }).click();
    await page.getByText("Person bob may not SHARE Document d1").waitFor();
    expect(problems()).toEqual([]);
  }, 40_000);

  it("finds resources page by page, subjects and actions", async () => {
    const { page, problems } = await open({ ...shareQuestion, mode: "resources" });
    await ask(page);
    await page.getByRole("status").getByText("100 found so far").waitFor();
    await page.getByRole("button", { name: "Read the next page" }).click();
    await page.getByRole("status").getByText("120 found").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole("tab", { name: "Which subjects" }).click();
    await ask(page);
    await page.getByRole("cell", { name: "ann" }).waitFor();
    await page.getByRole("tab", { name: "Which actions" }).click();
    await ask(page);
    await page.getByRole("listitem").getByText("SHARE").waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "SHARE" })
      .getByRole("button", { name: "Why?" })
      .click();
    await page.getByText("Person ann may SHARE Document d1").waitFor();
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
    await ask(page);
    await page.locator(".drawing canvas").first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "playground-narrow");
  }, 40_000);

  it("saves a decision as a policy test that ikg test passes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ikg-playground-"));
    try {
      const { page } = await open(shareQuestion);
      for (const [subject, verdict] of [
        ["ann", "Allowed"],
        ["bob", "Denied"],
      ] as const) {
        await page.getByLabel("Subject id").fill(subject);
        await ask(page);
        await page.getByText(verdict).waitFor();
        const waiting = page.waitForEvent("download");
        await page.getByRole("button", { name: "Policy test" }).click();
        const file = join(folder, `${subject}.ikg.json`);
        await (await waiting).saveAs(file);
        expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
          tests: [{ decision: `Person ${subject} may ${subject === "bob" ? "not " : ""}SHARE Document d1` }],
        });
      }
      const { code, output } = await runIkg(["test", folder], {
        environment: {
          IKG_URL: environment().base_url,
          IKG_TOKEN: environment().service_account_token,
        },
      });
      expect([code, output]).toEqual([0, expect.stringContaining("2 passed")]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  it("offers no more than the roles allow, and says what is missing for it", async () => {
    const { token, remove } = await newAccount("viewer", project.id);
    try {
      const tab = await openTab();
      await tab.page.goto(`${consoleUrl()}#${link(shareQuestion)}`);
      await signIn(tab.page, token);
      await tab.page.getByLabel("Paste the key of an application").waitFor();
      expect(await tab.page.getByRole("button", { name: "Make a key for an hour" }).count()).toBe(0);
      await pasteKey(tab.page);
      await ask(tab.page);
      await tab.page.getByText("Allowed").waitFor();
      expect(tab.problems()).toEqual([]);
    } finally {
      await remove();
    }
  }, 40_000);

  it("shows that it waits, that nothing is about the question, and what failed", async () => {
    const { page } = await open({ ...shareQuestion, action: "BURN" });
    let answer: (route: Route) => Promise<void> = (route) => route.continue();
    await page.route("**/access/v1/evaluation", (route) => answer(route));
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    answer = async (route) => {
      await released;
      await route.continue();
    };
    await ask(page);
    await page.getByText("Reading the answer…").waitFor();
    release(undefined);
    await page.getByText("No policy is about this").waitFor();
    const candidate = {
      policy: { id: "gid:gone", name: "gone", version: 3 },
      outcome: "unknown",
      statements: 0,
      database_hits: 0,
    };
    const explanation = { candidates: [candidate], omitted: 4, milliseconds: 1 };
    answer = (route) => route.fulfill({ json: { decision: false, context: { explanation } } });
    await ask(page);
    await page.getByText("4 more policies were not looked at").waitFor();
    await page.getByText("Could not read the policy").waitFor();
    answer = (route) => route.fulfill({ status: 401, json: { message: "client key missing or not valid" } });
    await ask(page);
    await page.getByText("client key missing or not valid").waitFor();
    await page.getByText("First, a key to ask with").waitFor();
    expect(await page.getByLabel("Action").inputValue()).toBe("BURN");
    expect(await accessibilityFindings(page)).toEqual([]);
  }, 40_000);
});

import { expect, it } from "@jest/globals";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openScreen } from "../../src/console/browser.ts";
import { ask, link, open, pasteKey, project, shareQuestion } from "../../src/console/team-project.ts";
import { environment } from "../../src/environment.ts";
import { runIkg } from "../../src/run-ikg.ts";

/** May X do Y with Z, and why: asked as a person would, by clicking and typing. */
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

  it("asks the question of a link as soon as there is a key, and those of back and forward", async () => {
    const { page, problems } = await openScreen(link(shareQuestion));
    await page.getByRole("heading", { name: "This question was not asked yet" }).waitFor();
    await pasteKey(page);
    await page.getByText("Person ann may SHARE Document d1").waitFor();
    await page.getByLabel("Subject id").fill("bob");
    await ask(page);
    await page.getByText("Person bob may not SHARE Document d1").waitFor();
    await page.goBack();
    await page.getByText("Person ann may SHARE Document d1").waitFor();
    expect(await page.getByLabel("Subject id").inputValue()).toBe("ann");
    // Another screen and back: the key is there, so the question is asked again.
    await page.getByRole("link", { name: "Policies" }).click();
    await page.getByRole("heading", { name: "Policies" }).waitFor();
    await page.goBack();
    await page.getByText("Person ann may SHARE Document d1").waitFor();
    expect(problems()).toEqual([]);
  }, 40_000);

  it("marks the leaf that failed in the text of the policy, and says that a token is missing", async () => {
    const { page, problems } = await open({ ...shareQuestion, action: "SIGN" });
    await ask(page);
    await page.getByText("Denied").waitFor();
    // The text of the policy is read after the answer.
    await page.locator("mark").first().waitFor();
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
      const token = await project.signIn("ann", { scope: "sign" });
      await page.getByLabel("Subject id").fill("ann");
      await page.getByLabel("Action").fill("SIGN");
      await page.getByText("Token, parameters and tags", { exact: true }).click();
      await page.getByLabel("Token of the person").fill(token);
      await ask(page);
      await page.getByText("Person ann may SIGN Document d1, by may-sign.").waitFor();
      const waiting = page.waitForEvent("download");
      await page.getByRole("button", { name: "Policy test" }).click();
      const file = join(folder, "token.ikg.json");
      await (await waiting).saveAs(file);
      await page.getByText("The claims of the token are in the file").waitFor();
      const text = readFileSync(file, "utf8");
      expect(JSON.parse(text)).toMatchObject({ people: { person: { sub: "ann", scope: "sign" } } });
      for (const part of [token, token.split(".").at(-1)]) expect(text).not.toContain(part);
      const { code, output } = await runIkg(["test", folder], {
        environment: {
          IKG_URL: environment().base_url,
          IKG_TOKEN: environment().service_account_token,
        },
      });
      expect([code, output]).toEqual([0, expect.stringContaining("3 passed")]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});

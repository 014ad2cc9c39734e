import { expect, it } from "@jest/globals";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openScreen } from "../../src/console/browser.ts";
import { ask, link, open, pasteKey, project, shareQuestion } from "../../src/console/team-project.ts";

/** May X do Y with Z, and why: asked as a person would, by clicking and typing. */
describeInBrowser("the playground", () => {
  it("decides with a key of its own, and draws the path that the API explains", async () => {
    const { page, problems } = await openScreen(link({}));
    await page.getByRole("button", { name: "Create a key valid for one hour" }).click();
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
    await page.getByText("The graph stops matching its pattern at").waitFor();
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
    await page.getByText("Denied").waitFor();
    expect(await page.locator("mark").first().innerText()).toMatch(/WORKS_FOR|WROTE/);
    await keepScreenshot(page, "playground-denied");
  }, 40_000);
});

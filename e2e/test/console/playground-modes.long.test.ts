import { expect, it } from "@jest/globals";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runIkg } from "../../src/cli/run-ikg.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { ask, open, project, shareQuestion } from "../../src/console/team-project.ts";
import { environment } from "../../src/environment.ts";

/** Batches, searches and policy tests of the playground. */
describeInBrowser("the playground", () => {
  it("decides many at once, of which some cannot be", async () => {
    const lines = [
      "Person ann may SHARE Document d1",
      "Person bob may SHARE Document d1",
      "Person ann may READ Document d1",
      'Person ann may READ Document d1 {"level": 9}',
    ];
    const { page, problems } = await open({ mode: "batch", lines: lines.join("\n") });
    await page.getByRole("status").getByText("2 allowed, 1 denied, 1 not decided").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "playground-batch");
    await page.getByRole("row", { name: "Person bob" }).getByRole("button", { name: "Why?" }).click();
    await page.getByText("Person bob may not SHARE Document d1").waitFor();
    expect(problems()).toEqual([]);
  }, 40_000);

  it("finds resources page by page, subjects and actions", async () => {
    const { page, problems } = await open({ ...shareQuestion, mode: "resources" });
    await page.getByRole("status").getByText("100 found so far").waitFor();
    await page.getByRole("button", { name: "Load the next page" }).click();
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
        variables: {
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

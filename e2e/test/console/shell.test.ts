import { expect, it } from "@jest/globals";
import { describeInBrowser, openScreen } from "../../src/console/browser.ts";
import { project, storageOf } from "../../src/console/frame.ts";
import { environment } from "../../src/environment.ts";

/** The frame of the console: signing in, the project, the screens. */
describeInBrowser("the frame of the console", () => {
  it("signs in by token, which stays in memory while every screen opens: not in storage, not in an address; a reload asks again", async () => {
    const { page, problems, requests } = await openScreen(`/playground?project=${project.id}`);
    await page.getByRole("heading", { name: "Playground" }).waitFor();
    const token = environment().service_account_token;
    expect(await page.evaluate(storageOf)).toBe('[[],[],""]');
    expect(await page.getByLabel("Project").inputValue()).toBe(project.id);
    const screens = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
    await screens.first().waitFor();
    const names = (await screens.allInnerTexts()).map((name) => name.trim());
    expect(names).toEqual("Home,Playground,Policies,Queries,Graph,Decisions,Import,Project".split(","));
    for (const name of names) {
      await screens.filter({ hasText: name }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    }
    expect([...requests(), page.url()].filter((url) => url.includes(token))).toEqual([]);
    await page.reload();
    await page.getByLabel("Service account token").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);
});

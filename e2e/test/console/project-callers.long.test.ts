import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { policyOf } from "../../src/console/flight-school.ts";
import { button, openProject } from "../../src/console/project-screen.ts";
import { environment } from "../../src/environment.ts";

/** Who may call: a key is made and used, a token is tried, a change is reverted. */
let project: TestProject;
const pilot = { type: "Pilot", external_id: "amelia" };
const aircraft = { type: "Aircraft", external_id: "N211" };

beforeAll(async () => {
  project = await createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "callers",
    people: "Pilot",
    policies: { "may-fly": policyOf("FLY", "MATCH (subject)-[:OWNS]->(resource)") },
    graph: {
      nodes: [pilot, aircraft],
      relationships: [{ source: pilot, type: "OWNS", target: aircraft }],
    },
  });
}, 60_000);
afterAll(() => project?.remove());

describeInBrowser("who may call", () => {
  it("is an application with a new key, which is shown once and works until it is removed", async () => {
    const { page, problems, requests } = await openProject(project.id);
    await page.getByRole("row").filter({ hasText: "1 valid" }).waitFor();
    await button(page, "New application").click();
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await button(page, "Create").click();
    await page.getByText("Not saved: see the messages at the fields.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("shop");
    await button(page, "Create").click();
    await button(page, "New agent").click();
    await page.getByLabel("Name", { exact: true }).fill("shop-server");
    await page.getByRole("checkbox", { name: /^ContXIQ/ }).check();
    await button(page, "Create").click();
    await page.getByRole("heading", { name: "No key yet" }).waitFor();
    await button(page, "New key").click();
    await page.getByLabel("What it is for").fill("production");
    await page.getByLabel("Valid for").selectOption("A day");
    await button(page, "Create key").click();
    await page.getByText("Copy it now.").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-key");
    await button(page, "Show").click();
    const key = await page.locator(".secret").innerText();
    const asks = (clientKey: string) =>
      fetch(`${project.baseUrl}/ciq/v1/whoami`, { headers: { "X-SVC-ClientKey": clientKey } });
    expect(await (await asks(key)).json()).toMatchObject({ message: "bearer token required" });
    await button(page, "I have saved it").click();
    await page.getByRole("row").filter({ hasText: "production" }).getByText("Expires soon").waitFor();
    const kept = `JSON.stringify([localStorage, sessionStorage, location.href, document.body.innerText])`;
    expect(await page.evaluate<string>(kept)).not.toContain(key);
    expect(requests().join(" ")).not.toContain(key);
    await button(page, "Remove the key production").click();
    await page.getByLabel("Type its name to confirm").fill("production");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "No key yet" }).waitFor();
    await eventually(
      async () => (await asks(key)).text(),
      (body) => body.includes("client key missing or not valid"),
    );
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is a person whose token is accepted, or refused for a reason that is said", async () => {
    const { page, problems } = await openProject(project.id, "/introspects");
    await page.getByLabel("paste an application key").fill(project.clientKey);
    await button(page, "Use key").click();
    const tester = page.getByRole("region", { name: "Try a token" });
    const tryToken = async (token: string) => {
      await tester.getByLabel("Token of the person").fill(token);
      await tester.getByRole("button", { name: "Check the token" }).click();
    };
    await tryToken(await project.signIn("amelia", { level: "gold" }));
    await tester.getByText("It stands for Pilot amelia").waitFor();
    await tester.getByRole("link", { name: "Its node in the graph" }).waitFor();
    await tester.getByRole("row").filter({ hasText: "level" }).getByText("gold").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-token");
    await tryToken(await project.signIn("amelia", { aud: "another" }));
    await tester.getByText("Not accepted: no configuration matches").waitFor();
    await tester.getByText(/and the audience another\. Both are compared/).waitFor();
    await tryToken(await project.signIn("louis", { exp: 1_000 }));
    await tester.getByText("Not accepted: expired").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("is changed by changes that can be reverted, later ones not without saying so", async () => {
    const { admin } = project;
    await admin.policies.update("may-fly", (policy) => ({ ...policy, status: "INACTIVE" }));
    const { page, problems } = await openProject(project.id, "/changes");
    const rows = page.getByRole("region", { name: "Changes" }).getByRole("link");
    await rows.filter({ hasText: "policy may-fly changed to version 2" }).click();
    await page.getByText("status: ACTIVE", { exact: false }).first().waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-change");
    await button(page, "Revert…").click();
    await page.getByText("The policy may-fly is restored to version 1.").waitFor();
    await page.getByRole("region", { name: "Impact" }).getByText("1 gained").first().waitFor();
    await keepScreenshot(page, "project-revert");
    await page.getByLabel("Why (kept in the change history)").fill("a mistake");
    await button(page, "Revert").click();
    await page.getByText("Reverted by").waitFor();
    expect(await admin.policies.get("may-fly")).toMatchObject({ status: "ACTIVE" });
    await button(page, "Revert…").click();
    await button(page, "Revert").click();
    await page.getByText("has version 3, 2 expected").waitFor();
    await button(page, "Revert anyway").waitFor();
    await button(page, "Keep it as it is").click();
    await page.getByRole("link", { name: "All changes" }).click();
    await rows.filter({ hasText: "policy may-fly changed to version 3" }).waitFor();
    await page.getByText("a mistake").waitFor();
    await keepScreenshot(page, "project-changes");
    expect(problems()).toEqual([]);
  }, 60_000);
});

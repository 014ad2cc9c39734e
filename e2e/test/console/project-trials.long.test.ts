import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { IkgAdmin, IkgError } from "@ikg/client";
import type { TestProject } from "@ikg/client/testing";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { createPricedProject, startPriceService } from "../../src/console/priced-aircraft.ts";
import { pressTabTo } from "../../src/console/keyboard.ts";
import { button, openProject } from "../../src/console/project-screen.ts";
import { freshName } from "../../src/fresh-name.ts";

/** What is tried and seen at work: a resolver, roles, and the signing of the audit trail. */
let project: TestProject;
let service: Awaited<ReturnType<typeof startPriceService>>;

beforeAll(async () => {
  service = await startPriceService();
  project = await createPricedProject("trials", service.port, {
    "write-aircraft": {
      policy: "may-read-prices",
      query: {
        nodes: ["aircraft.external_id"],
        upsert_nodes: [{ name: "aircraft", properties: [{ type: "seen", value: true }] }],
      },
    },
  });
}, 60_000);
afterAll(async () => {
  await project?.remove();
  service?.close();
});

describeInBrowser("what a project does", () => {
  it("a resolver is tried by a query that reads, and says why a value is missing", async () => {
    const { page, problems } = await openProject(project.id, "/resolvers/prices");
    await page.getByLabel("paste an application key").fill(project.clientKey);
    await button(page, "Use key").click();
    const query = page.getByLabel("Query", { exact: true });
    await query.locator("option").first().waitFor({ state: "attached" });
    expect(await query.locator("option").allInnerTexts()).toEqual(["aircraft-prices"]);
    await button(page, "Try it").click();
    await page.getByText("1 row, and no call of this resolver failed.").waitFor();
    await page.getByRole("row").filter({ hasText: "aircraft.property.price" }).getByText("18400").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-resolver-tried");
    service.status = 404;
    await button(page, "Try it").click();
    await page.getByText("The response was not successful; redirects are not followed").waitFor();
    await page.getByText("upstream_status").waitFor();
    expect(problems()).toEqual([]);
  }, 60_000);

  it("roles are given to people by a claim, and taken", async () => {
    const { page, problems } = await openProject(project.id, "/administrators");
    await button(page, "Grant a role").click();
    await page.getByLabel("To", { exact: true }).selectOption("People whose token has a claim");
    await page.getByLabel("Claim value (one entry if the claim is a list)").fill(project.name);
    await page.getByLabel("Role", { exact: true }).selectOption("auditor");
    expect(await accessibilityFindings(page)).toEqual([]);
    await button(page, "Grant role").click();
    const row = page.getByRole("row").filter({ hasText: `groups = ${project.name}` });
    await row.getByText("this project").waitFor();
    await row.getByRole("button", { name: "Revoke the role auditor" }).click();
    await page.getByLabel("Type its name to confirm").fill("auditor");
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await row.waitFor({ state: "detached" });
    expect(problems()).toEqual([]);
  }, 60_000);

  it("a service account is made with a role and a token, which is shown once and works until it is removed", async () => {
    const name = freshName("console");
    const { page, problems, requests } = await openProject(project.id, "/administrators");
    await button(page, "New service account").click();
    const nameField = page.getByLabel("Name", { exact: true });
    await nameField.fill("Not A Name");
    await button(page, "Create with a token").click();
    await page.getByText("The service account was not created").waitFor();
    await nameField.fill(name);
    await page.getByLabel("What it is for").fill("<b>builds</b>");
    await page.getByLabel("Role", { exact: true }).selectOption("policy_author");
    await page.getByLabel("Valid for").selectOption("A day");
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-new-account");
    await button(page, "Create with a token").click();
    await page.getByText("Copy it now.").waitFor();
    await button(page, "Show").click();
    const token = await page.locator(".secret").innerText();
    await button(page, "I have saved it").click();
    const made = new IkgAdmin({ baseUrl: project.baseUrl, token });
    expect(await made.administrator()).toMatchObject({
      name,
      roles: [{ role: "policy_author", project_id: project.id }],
    });
    const kept = `JSON.stringify([localStorage, sessionStorage, location.href, document.body.innerText])`;
    expect(await page.evaluate<string>(kept)).not.toContain(token);
    expect(requests().join(" ")).not.toContain(token);
    const accounts = page.getByRole("region", { name: "Programs that administer" });
    const row = accounts.getByRole("row").filter({ hasText: name });
    await row.getByText("<b>builds</b>").waitFor();
    await row.getByText("policy_author").waitFor();
    await row.getByText("1 valid").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-roles");
    await row.getByRole("button", { name: `Remove the service account ${name}` }).click();
    await page.getByLabel("Type its name to confirm").fill(name);
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
    await eventually(
      async () =>
        made.administrator().then(
          () => "accepted",
          (error: unknown) => (error instanceof IkgError ? error.status : String(error)),
        ),
      (answer) => answer === 401,
    );
    expect(problems()).toEqual([]);
  }, 60_000);

  it("the audit trail is signed by the platform's key, whose public half is shown", async () => {
    const { page, problems } = await openProject(project.id, "/signing");
    await page.getByRole("heading", { name: "The platform's key signs" }).waitFor();
    const works = page.getByText("Signing works");
    for (let turn = 0; turn < 20 && !(await works.isVisible()); turn++) {
      // A batch is signed some moments after its records were made.
      await page.getByRole("link", { name: "Roles" }).click();
      await page.waitForTimeout(1_000);
      await page.getByRole("link", { name: "Audit signing" }).click();
      await page.waitForTimeout(400);
    }
    await works.waitFor();
    await page.getByText("Key set (JWKS)").click();
    const set = JSON.parse(await page.getByRole("region", { name: "Key set" }).innerText()) as object;
    expect(set).toEqual({
      keys: [expect.objectContaining({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" })],
    });
    expect(JSON.stringify(set)).not.toContain('"d"');
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-signing");
    expect(problems()).toEqual([]);
  }, 90_000);

  it("a service account is made and removed by keyboard alone", async () => {
    const name = freshName("keys");
    const { page, problems } = await openProject(project.id, "/administrators");
    await button(page, "New service account").waitFor();
    await pressTabTo(page, "New service account");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await pressTabTo(page, "Name");
    await page.keyboard.type(name);
    await pressTabTo(page, "Create with a token");
    await page.keyboard.press("Enter");
    await page.getByText("Copy it now.").waitFor();
    await pressTabTo(page, "I have saved it");
    await page.keyboard.press("Enter");
    const row = page.getByRole("region", { name: "Programs that administer" }).getByRole("row");
    await row.filter({ hasText: name }).waitFor();
    await pressTabTo(page, `Remove the service account ${name}`, 200);
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").waitFor();
    await pressTabTo(page, "Type its name to confirm");
    await page.keyboard.type(name);
    await pressTabTo(page, "Remove");
    await page.keyboard.press("Enter");
    await row.filter({ hasText: name }).waitFor({ state: "detached" });
    expect(problems()).toEqual([]);
  }, 60_000);
});

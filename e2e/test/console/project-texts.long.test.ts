import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { IkgAdmin } from "@ikg/client";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot } from "../../src/console/browser.ts";
import { policyOf } from "../../src/console/flight-school.ts";
import { isTooWide } from "../../src/console/policy-editor.ts";
import { button, openProject } from "../../src/console/project-screen.ts";
import { environment } from "../../src/environment.ts";

/** Texts of records and tokens that would be more than texts, where a page let them; and long ones. */
const markup = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
const direction = "gpj.\u202Eexe";
const long = "long".repeat(2_500);
const hostile = `${markup} ${direction} {{constructor}} javascript:alert(3) ${"👩‍👩‍👧‍👦".repeat(5)}`;

let project: TestProject;
let bindingId: string;
const { base_url: baseUrl, service_account_token: token } = environment();

beforeAll(async () => {
  project = await createTestProject({ baseUrl, token, name: "project-texts", people: "Pilot" });
  const { admin } = project;
  const described = { display_name: hostile.slice(0, 200), description: `${hostile}\n${long}` };
  const { id: application_id } = await admin.applications.create({ name: "constructor", ...described });
  const agent = await admin.agents.create({
    application_id,
    name: "prototype",
    ...described,
    api_permissions: ["Authorization"],
  });
  await admin.agentCredentials.create({
    application_agent_id: agent.id,
    display_name: hostile.slice(0, 200),
  });
  await admin.introspects.create({
    name: "hostile",
    ...described,
    opaque_matcher: { hint: markup.slice(0, 50) },
    online_validation: { userinfo_endpoint: "https://issuer.example/userinfo" },
    claims_mapping: { constructor: { selector: markup }, toString: { selector: direction } },
    ikg_node_type: "Pilot",
  });
  await admin.resolvers.create({
    name: "hostile",
    ...described,
    url: `https://prices.example/{$name || ${"x".repeat(1_500)}}`,
    method: "POST",
    headers: { "X-Key": [markup.slice(0, 250)] },
    request_content_type: "JSON",
    request_payload: JSON.stringify({ text: hostile, long }),
    response_content_type: "JSON",
    response_selector: `$["${"y".repeat(200)}"]`,
  });
  await admin.changes.apply(
    [
      {
        op: "put",
        collection: "authorization-policies",
        name: "may-fly",
        record: {
          policy: policyOf(
            "FLY",
            `MATCH (subject), (resource) WHERE subject.external_id = ${JSON.stringify(hostile)}`,
          ),
          status: "ACTIVE",
          description: `${hostile}\n${long}`,
        },
      },
    ],
    { message: hostile },
  );
  const binding = await new IkgAdmin({ baseUrl, token }).roleBindings.create({
    subject: { claim: markup, value: `${direction} ${long.slice(0, 900)}` },
    role: "viewer",
    project_id: project.id,
  });
  bindingId = binding.id;
}, 60_000);
afterAll(async () => {
  await new IkgAdmin({ baseUrl, token }).roleBindings.delete(bindingId);
  await project?.remove();
});

/** What a page has that no text may have made; the editor has images of its own, which show nothing. */
const made = (page: Page) =>
  page.evaluate<number>(
    `document.querySelectorAll("main img:not(.cm-widgetBuffer), main script, main a[href^=javascript]").length`,
  );

describeInBrowser("texts of others on the project screen", () => {
  it.each([1280, 390])(
    "are texts, at %d pixels",
    async (width) => {
      const { page, problems } = await openProject(project.id, "", { viewport: { width, height: 844 } });
      const look = async (name: string): Promise<void> => {
        await page.locator(".loading").first().waitFor({ state: "detached" });
        expect([name, await made(page)]).toEqual([name, 0]);
        expect([name, await isTooWide(page)]).toEqual([name, false]);
        expect([name, (await page.locator("main").innerText()).includes("\u202E")]).toEqual([name, false]);
        await keepScreenshot(page, `project-texts-${name}-${width}`);
      };
      const tab = (label: string) =>
        page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: label }).click();
      const follow = (label: string) =>
        page.locator("main").getByRole("link", { name: label, exact: true }).click();
      await page.getByRole("link", { name: "constructor", exact: true }).waitFor();
      await look("applications");
      await follow("constructor");
      await page.getByRole("heading", { name: "Agents" }).waitFor();
      await look("application");
      await follow("prototype");
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      await look("agent");
      await tab("Roles");
      await page.getByText("people whose token has this claim").first().waitFor();
      await look("administrators");
      for (const [label, name] of [
        ["User tokens", "introspects"],
        ["Resolvers", "resolvers"],
      ] as const) {
        await tab(label);
        await page.getByRole("link", { name: "hostile", exact: true }).waitFor();
        await look(name);
        await follow("hostile");
        await page.getByText("Created").first().waitFor();
        await look(`${name}-record`);
      }
      await tab("Changes");
      await page.getByRole("link", { name: /policy may-fly created/ }).waitFor();
      await look("changes");
      await page.getByRole("link", { name: /policy may-fly created/ }).click();
      await page.locator(".difference .cm-content").first().waitFor();
      await look("change");
      expect(await accessibilityFindings(page)).toEqual([]);
      expect(problems()).toEqual([]);
    },
    120_000,
  );

  it("are texts in a token, too", async () => {
    const { page, problems } = await openProject(project.id, "/introspects");
    await page.getByLabel("paste an application key").fill(project.clientKey);
    await button(page, "Use key").click();
    const claims = {
      [markup]: markup,
      constructor: direction,
      long,
      nested: { __proto__: null, deep: [[markup]] },
    };
    await page.getByLabel("Token of the person").fill(await project.signIn(markup, claims));
    await button(page, "Check the token").click();
    await page.getByText(/It stands for Pilot/).waitFor();
    expect(await made(page)).toBe(0);
    expect(await isTooWide(page)).toBe(false);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "project-texts-token");
    expect(problems()).toEqual([]);
  }, 60_000);
});

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openTab } from "../../src/console/browser.ts";
import { freshName } from "../../src/fresh-name.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { type PeopleSuite, startPeopleSuite } from "../../src/suites/people-suite.ts";

/** A person signs in to the console at an OpenID provider: the code flow with PKCE, in a window of its own. */
const group = freshName("console");

let suite: PeopleSuite;
let tenant: Tenant;
let binding: { readonly id: string };

beforeAll(async () => {
  const demand = { OIDC_ACR_VALUES: "phr", OIDC_MAX_AGE_SECONDS: "3600" };
  suite = await startPeopleSuite([group], { CONSOLE: "true", ...demand });
  suite.provider.people.set("ann", {
    groups: [group],
    name: "Ann Archer",
    acr: "phr",
    auth_time: Math.floor(Date.now() / 1_000),
  });
  suite.provider.atBrowser = "ann";
  tenant = await createTenant("console");
  binding = await openAdmin().roleBindings.create({
    subject: { claim: "groups", value: group },
    role: "viewer",
    project_id: tenant.projectId,
  });
}, 120_000);
afterAll(async () => {
  if (binding !== undefined) await openAdmin().roleBindings.delete(binding.id);
  await tenant?.remove();
  await suite?.close();
});

describeInBrowser("a person at the console", () => {
  it("signs in at the provider, without a credential in an address or in storage", async () => {
    const { base, provider } = suite;
    const policy = (await fetch(`${base}/console/`)).headers.get("content-security-policy");
    expect(policy).toContain(`connect-src 'self' ${provider.issuer};`);
    const { page, problems } = await openTab();
    const tokens: string[] = [];
    const signIns: URLSearchParams[] = [];
    page.context().on("request", (request) => {
      const { origin, pathname, searchParams } = new URL(request.url());
      if (origin === provider.issuer && pathname === "/auth") signIns.push(searchParams);
    });
    page.on("request", (request) => {
      const bearer = /^Bearer (.+)$/.exec(request.headers()["authorization"] ?? "")?.[1];
      if (bearer !== undefined) tokens.push(bearer);
    });
    await page.goto(`${base}/console/`);
    await keepScreenshot(page, "sign-in-provider");
    const button = page.getByRole("button", { name: `Sign in with ${new URL(provider.issuer).host}` });
    await button.waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await button.click();
    await page.getByRole("button", { name: /Ann Archer/ }).waitFor();
    await page.getByRole("button", { name: /viewer/ }).waitFor();
    expect(tokens.length).toBeGreaterThan(0);
    expect(Object.fromEntries(signIns[0] ?? [])).toMatchObject({ acr_values: "phr", max_age: "3600" });
    expect(
      await page.evaluate("JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])"),
    ).toBe("[[],[]]");
    expect(page.url()).not.toContain(tokens[0]);
    expect(problems().filter((problem) => !problem.startsWith("request to"))).toEqual([]);
  }, 60_000);

  it("cancels a sign-in that the provider has not answered", async () => {
    const { page } = await openTab();
    await page.context().route(`${suite.provider.issuer}/auth*`, () => undefined);
    await page.goto(`${suite.base}/console/`);
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: /Sign in with/ }).click();
    const popup = await opened;
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Sign-in was cancelled.").waitFor();
    if (!popup.isClosed()) await popup.waitForEvent("close");
  }, 60_000);
});

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  audience,
  clientId,
  type PeopleProvider,
  startPeopleProvider,
} from "../../../stack/src/testing/people-provider.ts";
import { type Process, startBeside } from "../../src/beside.ts";
import { openAdmin } from "../../src/clients.ts";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { describeInBrowser, keepScreenshot, openTab } from "../../src/console/browser.ts";
import { environment } from "../../src/environment.ts";
import { freshName } from "../../src/fresh-name.ts";
import { createTenant, type Tenant } from "../../src/tenant.ts";

/** A person signs in to the console at an OpenID provider: the code flow with PKCE, in a window of its own. */
const unreachable = "http://127.0.0.1:1";
const group = freshName("console");

let provider: PeopleProvider;
let configs: Process;
let gateway: Process;
let tenant: Tenant;
let binding: { readonly id: string };

beforeAll(async () => {
  provider = await startPeopleProvider();
  provider.people.set("ann", { groups: [group], name: "Ann Archer" });
  provider.atBrowser = "ann";
  const settings = { DRAIN_DELAY_MS: "0", PUBLIC_URL: environment().base_url };
  configs = await startBeside("configs", settings);
  gateway = await startBeside("gateway", {
    ...settings,
    CONSOLE: "true",
    UPSTREAM_CONFIGS: `http://127.0.0.1:${configs.port}`,
    UPSTREAM_CAPTURE: unreachable,
    UPSTREAM_ACCESS: unreachable,
    UPSTREAM_CIQ: unreachable,
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: audience,
    OIDC_CLIENT_ID: clientId,
    OIDC_ORGANIZATION: environment().organization_id,
    EGRESS_ALLOW_HTTP: "true",
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  });
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
  await gateway?.stop();
  await configs?.stop();
  await provider?.close();
});

describeInBrowser("a person at the console", () => {
  it("signs in at the provider, without a credential in an address or in storage", async () => {
    const base = `http://127.0.0.1:${gateway.port}`;
    const policy = (await fetch(`${base}/console/`)).headers.get("content-security-policy");
    expect(policy).toContain(`connect-src 'self' ${provider.issuer};`);
    const { page, problems } = await openTab();
    const tokens: string[] = [];
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
    expect(
      await page.evaluate("JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])"),
    ).toBe("[[],[]]");
    expect(page.url()).not.toContain(tokens[0]);
    expect(problems().filter((problem) => !problem.startsWith("request to"))).toEqual([]);
  }, 60_000);

  it("is told when the provider refuses", async () => {
    provider.people.delete("ann");
    provider.atBrowser = "";
    const { page } = await openTab();
    await page.goto(`http://127.0.0.1:${gateway.port}/console/`);
    await page.getByRole("button", { name: /Sign in with/ }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("you cancelled it").waitFor();
  }, 60_000);
});

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { SuiteStatus } from "@ikg/client";
import type { TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "../../src/console/accessibility.ts";
import { newAccount } from "../../src/console/account.ts";
import {
  consoleUrl,
  describeInBrowser,
  keepScreenshot,
  openScreen,
  openTab,
  signIn,
} from "../../src/console/browser.ts";
import { createPricedProject, startPriceService } from "../../src/console/priced-aircraft.ts";

/** What needs attention, and services of which not all is well. */
let project: TestProject;
let port: number;

beforeAll(async () => {
  // It is gone when it is called.
  const service = await startPriceService();
  service.close();
  port = service.port;
  project = await createPricedProject("attention", port);
}, 60_000);
afterAll(() => project?.remove());

const askPrices = () => project.ikg.query("aircraft-prices").toArray();

/** Opens Home again until the records, which are signed some moments after they were made, say so. */
const untilShown = async (page: Page, isShown: () => Promise<boolean>): Promise<void> => {
  for (let turn = 0; turn < 40 && !(await isShown()); turn++) {
    await page.reload();
    await signIn(page);
    await page.getByText("Decisions in 60 min").waitFor();
    await page.waitForTimeout(300);
  }
};

const suite = (replicas: Readonly<Record<string, SuiteStatus["services"][number]["replicas"]>>) => ({
  services: Object.entries(replicas).map(([service, of]) => ({ service, replicas: of })),
});

/** Home with a state of the suite that a test makes up. */
const openWith = async (status: number, json: object, viewport = { width: 1280, height: 860 }) => {
  const tab = await openTab({ viewport });
  await tab.page.route("**/configs/v1/status", (route) => route.fulfill({ status, json }));
  await tab.page.goto(`${consoleUrl()}#/?project=${project.id}`);
  await signIn(tab.page);
  return tab;
};

const ready = { status: "ready", version: "0.2.0" } as const;
const former = { status: "ready", version: "0.1.0" } as const;

describeInBrowser("what needs attention", () => {
  it("is a resolver that gives no values, until it does; it leads to the resolver", async () => {
    await askPrices();
    const { page, problems } = await openScreen(`/?project=${project.id}`);
    const matter = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem").filter({
      hasText: "The resolver prices returned no values. The connection failed or was interrupted",
    });
    await untilShown(page, () => matter.isVisible());
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "home-attention");
    await matter.getByRole("link", { name: "Resolver" }).click();
    await page.getByRole("heading", { name: "prices" }).waitFor();
    const service = await startPriceService(port);
    try {
      await askPrices();
      await page.goto(`${consoleUrl()}#/?project=${project.id}`);
      await page.getByText("Decisions in 60 min").waitFor();
      await untilShown(page, async () => !(await matter.isVisible()));
      expect(await matter.count()).toBe(0);
    } finally {
      service.close();
    }
    expect(problems()).toEqual([]);
  }, 120_000);
});

describeInBrowser("the services", () => {
  it("of several versions are an upgrade in progress", async () => {
    const { page } = await openWith(
      200,
      suite({ gateway: [ready], access: [ready, former], ciq: [former, { ...former, status: "stopping" }] }),
    );
    await page.getByText("access: ready, 2 replicas, versions 0.1.0 and 0.2.0").waitFor();
    await page.getByText("ciq: ready, version 0.1.0").waitFor();
    await page
      .getByText("Upgrade in progress: services of the versions 0.1.0 and 0.2.0 are running")
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "home-upgrade");
  }, 40_000);

  it("that are not ready, unreachable or not there are named so, also on a narrow page", async () => {
    const { page } = await openWith(
      200,
      suite({
        gateway: [ready],
        configs: [{ ...ready, status: "unavailable" }],
        capture: [{ ...ready, status: "unreachable" }],
        access: [ready, { ...ready, status: "unreachable" }],
        ciq: [],
        "trust-scorer": [{ ...ready, status: "stopping" }],
      }),
      { width: 390, height: 800 },
    );
    await page.getByText("Services, version 0.2.0").waitFor();
    for (const text of [
      "gateway: ready",
      "configs: not ready",
      "capture: unreachable",
      "access: 1 of 2 ready",
      "ciq: not running",
      "trust-scorer: stopping",
    ])
      await page.getByText(text, { exact: true }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, "home-services-narrow");
  }, 40_000);

  it("whose state cannot be read leave the rest of the page as it is", async () => {
    const { page } = await openWith(503, { message: "Service Unavailable" });
    await page.getByText("Could not load the state of the services").waitFor();
    await page.getByText("ready, version").waitFor();
    await page.unroute("**/configs/v1/status");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("access: ready").waitFor();
  }, 60_000);

  it("are not offered to a role that does not read them", async () => {
    const auditor = await newAccount("auditor", project.id);
    try {
      const { page, requests, problems } = await openTab();
      await page.goto(`${consoleUrl()}#/?project=${project.id}`);
      await signIn(page, auditor.token);
      await page.getByText("Decisions in 60 min").waitFor();
      expect(await page.getByRole("list", { name: /^Services/ }).count()).toBe(0);
      expect(requests().filter((url) => url.includes("/configs/v1/status"))).toEqual([]);
      expect(problems()).toEqual([]);
    } finally {
      await auditor.remove();
    }
  }, 40_000);
});

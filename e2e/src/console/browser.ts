/** A real Chromium for the tests of the console, and tabs in it that notice what no page may do. */
import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { fileOfProgram, prepareBrowser } from "../../../stack/src/system/browser.ts";
import { environment } from "../environment.ts";
import { compareWithDocs, isPictured } from "./pictures.ts";

const prepared = await prepareBrowser(AbortSignal.timeout(300_000));

let browser: Browser | undefined;

/** Starts the browser for the tests of a file. */
const useBrowser = (program: string): void => {
  beforeAll(async () => {
    // A container has no user namespaces for the sandbox, and little shared memory.
    const args = ["--no-sandbox", "--disable-dev-shm-usage"];
    browser = await chromium.launch({ executablePath: fileOfProgram(program), args });
  }, 60_000);
  afterEach(async () => {
    // A tab that stays open goes on drawing.
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  });
  afterAll(() => browser?.close());
};

/** A group of tests that need the browser; where there is none they are skipped, and say so. */
export const describeInBrowser = (title: string, tests: () => void): void => {
  if ("program" in prepared) {
    // oxlint-disable-next-line jest/valid-title -- that of the file which calls this
    describe(title, () => {
      useBrowser(prepared.program);
      tests();
    });
    return;
  }
  // oxlint-disable-next-line jest/no-disabled-tests -- its name is the reason
  describe.skip(`${title}: ${prepared.absent}`, () => {
    it("runs", () => undefined);
  });
};

export interface Tab {
  readonly page: Page;
  /** Errors, refusals of the content security policy, and requests to other addresses, until now. */
  readonly problems: () => readonly string[];
  /** Addresses of the requests until now. */
  readonly requests: () => readonly string[];
}

/** As the policy of the page reports it; the listener stands before any script of the page. */
const reportViolations = `addEventListener("securitypolicyviolation", (event) =>
  console.error("content security policy:", event.violatedDirective, event.blockedURI, event.sample));`;

/** Answers that a test provokes are listed in the console of the browser, too. */
const isRefusedAnswer = (text: string): boolean => text.startsWith("Failed to load resource");

export const consoleUrl = (): string => `${environment().base_url}/console/`;

/** A tab of its own, without storage of others. */
export const openTab = async (options: BrowserContextOptions = {}): Promise<Tab> => {
  if (browser === undefined) throw new Error("only tests of describeInBrowser() open tabs");
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  await context.addInitScript(reportViolations);
  const page = await context.newPage();
  // A machine that is busy with other tests is slow.
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !isRefusedAnswer(message.text())) problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(environment().base_url)) problems.push(`request to ${request.url()}`);
  });
  return { page, problems: () => problems, requests: () => requests };
};

/** Types a token into the form, and waits for the screens. */
export const signIn = async (page: Page, token = environment().service_account_token): Promise<void> => {
  await page.getByLabel("Service account token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Screens" }).waitFor();
};

/** Opens a screen, signed in. `path` is an address of the console, as `/playground?project=…`. */
export const openScreen = async (path: string, options: BrowserContextOptions = {}): Promise<Tab> => {
  const tab = await openTab(options);
  await tab.page.goto(`${consoleUrl()}#${path}`);
  await signIn(tab.page);
  return tab;
};

/** Takes a picture of the page: that of docs/console still shows it; and kept where `IKG_SCREENSHOTS` names a folder. */
export const keepScreenshot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["IKG_SCREENSHOTS"];
  if (!folder && !isPictured(name)) return;
  // A picture of the documentation shows what has been loaded.
  if (isPictured(name)) await page.locator(".loading").first().waitFor({ state: "detached" });
  // What sticks to the top would stand in the middle of a picture of the whole page.
  await page.evaluate("scrollTo(0, 0)");
  const picture = await page.screenshot({ fullPage: true });
  if (folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.png`), picture);
  }
  if (isPictured(name)) await compareWithDocs(page, name, picture);
};

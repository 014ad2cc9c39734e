/** A real Chromium, in which the console is opened as a person opens it. */
import { type Browser, chromium, type Page } from "playwright-core";
import { fileOfProgram, prepareBrowser } from "../../../stack/src/system/browser.ts";
import { UserError, type Target } from "../settings.ts";

/** @throws UserError without a Chromium */
export const openBrowser = async (): Promise<Browser> => {
  const prepared = await prepareBrowser(AbortSignal.timeout(300_000));
  if ("absent" in prepared) throw new UserError(prepared.absent);
  // A container has no user namespaces for the sandbox, and little shared memory.
  return chromium.launch({
    executablePath: fileOfProgram(prepared.program),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
};

/** A tab without anything of the console: no files, no session. */
export const openTab = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
};

/** Types the token of the deployment, and waits for the screens. */
export const signIn = async (page: Page, { serviceAccountToken }: Target): Promise<void> => {
  await page.getByLabel("Service account token").fill(serviceAccountToken);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Screens" }).waitFor();
};

/** A screen, signed in. @param path address of the console, as `/graph?project=…` */
export const openScreen = async (browser: Browser, target: Target, path: string): Promise<Page> => {
  const page = await openTab(browser);
  await page.goto(`${target.gateway}/console/#${path}`);
  await signIn(page, target);
  return page;
};

/** Watches for tasks that keep the page from reacting: those of 50 ms and more. */
export const watchLongTasks = async (page: Page): Promise<void> => {
  await page.evaluate(`globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: "longtask" })`);
};

/** The longest task since the last call, in milliseconds; 0 where none took 50 ms. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate("Math.max(0, ...globalThis.longTasks.splice(0))");

import type { Page } from "playwright-core";

/** The name of what has the focus, as a person would say it. */
const focusedName =
  "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.labels?.[0]?.innerText ?? document.activeElement?.innerText ?? '').trim()";

/** Presses Tab until the focus is on a control of that name. */
export const pressTabTo = async (page: Page, name: string, most = 80): Promise<void> => {
  for (let at = 0; at < most; at++) {
    if ((await page.evaluate(focusedName)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no control "${name}" is reached by Tab`);
};

/** The editor of policies, as a person uses it. */
import type { Page } from "playwright-core";
import { openScreen, type Tab } from "./browser.ts";

export const openPolicies = (path: string, projectId: string, options = {}): Promise<Tab> =>
  openScreen(`${path}?project=${encodeURIComponent(projectId)}`, options);

export const conditionOf = (page: Page) => page.getByRole("textbox", { name: "Condition in Cypher" });

export const problemsOf = (page: Page) => page.getByRole("region", { name: "Problems" });

/** Replaces the condition, as a user who pastes it. */
export const typeCondition = async (page: Page, text: string): Promise<void> => {
  await conditionOf(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
};

export const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click();

export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

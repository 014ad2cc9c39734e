/** The import screen, as a person uses it. */
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { openScreen, type Tab } from "./browser.ts";

export const openImport = (projectId: string, options: BrowserContextOptions = {}): Promise<Tab> =>
  openScreen(`/import?project=${encodeURIComponent(projectId)}`, options);

/** Chooses a file, as a person does in the window of the system. */
export const chooseFile = async (page: Page, name: string, content: string | Buffer): Promise<void> => {
  const buffer = typeof content === "string" ? Buffer.from(content) : content;
  await page.getByLabel(/^(Choose|Add) a file$/).setInputFiles({ name, mimeType: "", buffer });
};

const middleOf = async (locator: Locator): Promise<{ readonly x: number; readonly y: number }> => {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("not on the page");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Drags a column with the mouse: the list of columns stays in view beside the form. */
export const dragColumn = async (page: Page, name: string, target: Locator): Promise<void> => {
  const columns = page.getByRole("region", { name: "Columns" });
  await target.scrollIntoViewIfNeeded();
  const from = await middleOf(columns.getByRole("listitem").filter({ hasText: name }));
  const to = await middleOf(target);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
};

/** Gives the screen a key; one that is refused is asked for again. */
export const pasteImportKey = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel("paste an application key").fill(key);
  await page.getByRole("button", { name: "Use key" }).click();
};

/** The project screen, as a person uses it. */
import type { Page } from "playwright-core";
import { openScreen, type Tab } from "./browser.ts";

export const openProject = (projectId: string, path = "", options = {}): Promise<Tab> =>
  openScreen(`/project${path}?project=${encodeURIComponent(projectId)}`, options);

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

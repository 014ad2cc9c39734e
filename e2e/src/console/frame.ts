/** What the tests of the frame of the console share: an empty project, the storage of a page, a revoked credential. */
import { afterAll, beforeAll } from "@jest/globals";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import type { Page } from "playwright-core";
import { environment } from "../environment.ts";
import type { newAccount } from "./account.ts";

/** Set before the tests. */
export let project: TestProject;

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  project = await createTestProject({ baseUrl, token, name: "console" });
}, 30_000);
afterAll(() => project?.remove());

/** Evaluated in a page: what it has stored. */
export const storageOf = `JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])`;

/** Revokes the credential of a tab, which then asks to sign in again. @returns the dialog that asks */
export const revokeIn = async (page: Page, { revoke }: Awaited<ReturnType<typeof newAccount>>) => {
  await revoke();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  for (let turn = 0; turn < 20 && !(await again.isVisible()); turn++) {
    // The connection comes back: what is shown is read again.
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.waitForTimeout(250);
  }
  await again.waitFor();
  return again;
};

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { consoleUrl, describeInBrowser, openTab, signIn } from "../../src/console/browser.ts";

/** A page of another origin: a frame of the console in it, and a button that opens the console in a tab. */
const page = (): string => `<!doctype html><title>Elsewhere</title>
<iframe title="console" src="${consoleUrl()}"></iframe>
<button onclick="window.opened = window.open('${consoleUrl()}')">Open the console</button>`;

let server: Server;
let elsewhere: string;

beforeAll(async () => {
  server = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(page()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A server that listens on a port has an address of this form.
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => void server.close());

/** What the page of another origin finds out about the tab that it opened. */
const readOpened = `(() => {
  const tries = {
    closed: () => opened.closed,
    document: () => opened.document.title,
    storage: () => opened.sessionStorage.length,
    token: () => opened.document.querySelector("input")?.value,
  };
  return Object.fromEntries(
    Object.entries(tries).map(([name, attempt]) => {
      try {
        return [name, String(attempt())];
      } catch (error) {
        return [name, error.name];
      }
    }),
  );
})()`;

describeInBrowser("a page of another origin", () => {
  it("cannot show the console in a frame", async () => {
    const { page: outer } = await openTab();
    await outer.goto(elsewhere);
    const [, frame] = outer.frames();
    // The page of the browser that stands for what may not be shown.
    expect(frame?.url()).toMatch(/^chrome-error:/);
    expect(await outer.frameLocator("iframe").getByLabel("Service account token").count()).toBe(0);
  }, 40_000);

  it("cannot read or script a tab of the console that it opens, and is not reached from it", async () => {
    const { page: outer } = await openTab();
    await outer.goto(elsewhere);
    const waiting = outer.waitForEvent("popup");
    await outer.getByRole("button", { name: "Open the console" }).click();
    const tab = await waiting;
    await signIn(tab);
    expect(await tab.evaluate("window.opener === null")).toBe(true);
    // The browser has cut the two apart: to its opener the tab is closed.
    expect(await outer.evaluate(readOpened)).toMatchObject({ closed: "true" });
    const { document, storage, token } = await outer.evaluate<Record<string, string>>(readOpened);
    for (const seen of [document, storage, token]) expect(seen).toMatch(/Error$/);
    await outer.evaluate(`opened.location = "about:blank"`).catch(() => undefined);
    await tab.getByRole("navigation", { name: "Screens" }).waitFor();
    expect(tab.url().startsWith(consoleUrl())).toBe(true);
  }, 40_000);
});

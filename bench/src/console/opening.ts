/** How soon the console is usable, and what a browser loads for it. */
import type { Browser, Page } from "playwright-core";
import { median } from "../../../stack/src/measurement/statistics.ts";
import type { Target } from "../settings.ts";
import { openTab, signIn } from "./browser.ts";
import { plan } from "./plan.ts";

export interface Opening {
  /** Milliseconds until a person can sign in. */
  readonly usableMs: number;
  /** The same for a page of the gateway without content. */
  readonly emptyMs: number;
  /** From signing in to the first screen with its figures. */
  readonly firstScreenMs: number;
  /** Bytes over the wire before anything is shown, compressed by gzip. */
  readonly loadBytes: number;
  /** The same, decompressed. */
  readonly contentBytes: number;
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

type Sizes = Pick<Opening, "loadBytes" | "contentBytes">;

/** What the page has loaded until now. */
const sizesOf = (page: Page): Promise<Sizes> =>
  page.evaluate<Sizes>(`(() => {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const sum = (name) => entries.reduce((total, entry) => total + entry[name], 0);
    return { loadBytes: sum("encodedBodySize"), contentBytes: sum("decodedBodySize") };
  })()`);

const once = async (browser: Browser, target: Target): Promise<Opening> => {
  const page = await openTab(browser);
  const empty = await openTab(browser);
  try {
    const emptyMs = await timed(() => empty.goto(`${target.gateway}/healthz`));
    const usableMs = await timed(async () => {
      await page.goto(`${target.gateway}/console/`);
      await page.getByLabel("Service account token").click();
    });
    const sizes = await sizesOf(page);
    const firstScreenMs = await timed(async () => {
      await signIn(page, target);
      await page.getByRole("heading", { name: "Home" }).waitFor();
      await page.getByText("ready, version").waitFor();
    });
    return { usableMs, emptyMs, firstScreenMs, ...sizes };
  } finally {
    await page.context().close();
    await empty.context().close();
  }
};

/** Medians over several openings; the first one does not count. */
export const measureOpening = async (browser: Browser, target: Target): Promise<Opening> => {
  const rounds: Opening[] = [];
  for (let round = 0; round <= plan.opens; round += 1) rounds.push(await once(browser, target));
  const counted = rounds.slice(1);
  const medianOf = (name: keyof Opening): number => median(counted.map((each) => each[name]));
  return {
    usableMs: medianOf("usableMs"),
    emptyMs: medianOf("emptyMs"),
    firstScreenMs: medianOf("firstScreenMs"),
    loadBytes: medianOf("loadBytes"),
    contentBytes: medianOf("contentBytes"),
  };
};

/** Whether the page reacts while one types into the editor, and while a large file is read. */
import type { Browser, Locator, Page } from "playwright-core";
import { median } from "../../../stack/src/measurement/statistics.ts";
import type { Target } from "../settings.ts";
import { longestTask, openScreen, watchLongTasks } from "./browser.ts";
import { plan } from "./plan.ts";

export interface Blocking {
  /** Milliseconds of the longest task while one types; 0: none of 50 ms or more. */
  readonly editorMs: number;
  /** The same in a field of plain text on that page. */
  readonly fieldMs: number;
  /** Milliseconds of processor time that the page takes for one key, in both. */
  readonly editorKeyMs: number;
  readonly fieldKeyMs: number;
  /** The longest task while a file is tried. */
  readonly fileMs: number;
}

/** What one run of typing has taken. */
interface Typed {
  readonly longestMs: number;
  readonly keyMs: number;
}

const condition =
  "MATCH (subject)-[:OWNS]->(x:Document {level: 3})<-[:PART_OF]-(resource) WHERE x.property.open = true ";

const typed = condition.repeat(Math.ceil(plan.characters / condition.length)).slice(0, plan.characters);

/** The validation that follows the last key belongs to it. */
const settleMs = 1_000;

/** Milliseconds that tasks of the page have taken of a processor until now. */
const openProcessorTime = async (page: Page): Promise<() => Promise<number>> => {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
  };
};

type ProcessorTime = () => Promise<number>;

const typeInto = async (page: Page, field: Locator, processorTime: ProcessorTime): Promise<Typed> => {
  await field.click();
  await longestTask(page);
  const before = await processorTime();
  await page.keyboard.type(typed, { delay: plan.keyMs });
  await page.waitForTimeout(settleMs);
  const keyMs = ((await processorTime()) - before) / typed.length;
  const longestMs = await longestTask(page);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  return { longestMs, keyMs };
};

const measureTyping = async (
  browser: Browser,
  target: Target,
  search: string,
): Promise<Omit<Blocking, "fileMs">> => {
  const page = await openScreen(browser, target, `/policies/-/new${search}`);
  const editor = page.getByRole("textbox", { name: "Condition in Cypher" });
  const field = page.getByLabel("Description");
  await editor.waitFor();
  await watchLongTasks(page);
  // What is loaded with the first key does not count.
  const processorTime = await openProcessorTime(page);
  await typeInto(page, editor, processorTime);
  await typeInto(page, field, processorTime);
  const [inEditor, inField]: [Typed[], Typed[]] = [[], []];
  for (let round = 0; round < plan.typings; round += 1) {
    inEditor.push(await typeInto(page, editor, processorTime));
    inField.push(await typeInto(page, field, processorTime));
  }
  await page.context().close();
  const longestOf = (runs: readonly Typed[]): number => median(runs.map(({ longestMs }) => longestMs));
  const keyOf = (runs: readonly Typed[]): number => median(runs.map(({ keyMs }) => keyMs));
  return {
    editorMs: longestOf(inEditor),
    fieldMs: longestOf(inField),
    editorKeyMs: keyOf(inEditor),
    fieldKeyMs: keyOf(inField),
  };
};

const csv = (): Buffer => {
  const rows = Array.from({ length: plan.rows }, (_, at) => `p${at},"Person, number ${at}",${at % 1_000}`);
  return Buffer.from(["id,full_name,hours", ...rows, ""].join("\n"));
};

const measureFile = async (browser: Browser, target: Target, search: string): Promise<number> => {
  const page = await openScreen(browser, target, `/import${search}`);
  await page
    .getByLabel("Choose a file")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: csv() });
  await page.getByRole("region", { name: "First nodes" }).waitFor();
  await watchLongTasks(page);
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByText(`${plan.rows.toLocaleString("en-US")} rows read`).waitFor();
  const longest = await longestTask(page);
  await page.context().close();
  return longest;
};

export const measureBlocking = async (
  browser: Browser,
  target: Target,
  search: string,
): Promise<Blocking> => ({
  ...(await measureTyping(browser, target, search)),
  fileMs: await measureFile(browser, target, search),
});

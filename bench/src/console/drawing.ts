/** How long the largest graph that is drawn takes. */
import type { Browser } from "playwright-core";
import type { Target } from "../settings.ts";
import { openScreen } from "./browser.ts";
import { plan } from "./plan.ts";

export interface Drawing {
  readonly elements: number;
  /** Milliseconds. */
  readonly ms: number;
}

/** The first drawing, of a node with its first neighbours, and the one with all of them. */
export const measureDrawing = async (
  browser: Browser,
  target: Target,
  search: string,
): Promise<{ readonly first: Drawing; readonly whole: Drawing }> => {
  const page = await openScreen(browser, target, `/graph/node${search}&type=Club&id=most`);
  const elements = 2 * plan.members + 1;
  const whole = page.locator(`.neighbourhood-canvas[data-elements="${elements}"]`);
  for (const shown of ["101 nodes, 100 relationships", "601 nodes, 600 relationships"]) {
    await page.getByText(shown).waitFor();
    await page.getByRole("button", { name: /^Show \d+ more$/ }).click();
  }
  await whole.waitFor();
  const drawings: readonly Drawing[] = await page.evaluate(
    `performance.getEntriesByName("ikg:draw").map(({ detail, duration }) => ({ elements: detail.elements, ms: duration }))`,
  );
  await page.context().close();
  const longest = (of: readonly Drawing[]): Drawing => {
    const [drawing] = of.toSorted((one, other) => other.ms - one.ms);
    if (drawing === undefined) throw new Error("nothing was drawn");
    return drawing;
  };
  const smallest = Math.min(...drawings.map((each) => each.elements));
  return {
    first: longest(drawings.filter((each) => each.elements === smallest)),
    whole: longest(drawings.filter((each) => each.elements === elements)),
  };
};

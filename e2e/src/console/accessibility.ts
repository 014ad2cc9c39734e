import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Colours alone differ between the two. */
const rules = { light: standards, dark: { type: "rule", values: ["color-contrast"] } };

const run = (colorScheme: keyof typeof rules): string =>
  `axe.run(document, { runOnly: ${JSON.stringify(rules[colorScheme])} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))`;

/** What axe finds on the page as it is, in light and in dark colours; empty when it finds nothing. */
export const accessibilityFindings = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours are those of the next frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    // Evaluated by the debugger, which the page's policy for scripts does not bind.
    await page.evaluate(axe);
    const findings: readonly Finding[] = await page.evaluate(run(colorScheme));
    for (const { id, nodes } of findings)
      for (const { html, failureSummary } of nodes)
        found.push(`${colorScheme}: ${id}: ${html} ${failureSummary ?? ""}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
};

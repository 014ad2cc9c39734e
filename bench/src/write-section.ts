import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url));

/** The sections of the page in their order; each is written by the measurement of its own, the last by hand. */
const titles = [
  "Decisions",
  "Client",
  "Command line",
  "Console",
  "Access",
  "Capture",
  "Context queries",
  "Trust scores",
  "Authentication",
  "MCP",
  "Audit",
  "Authoring",
  "Neighbours",
  "Start and memory",
  "Policy language",
  "Where the time of a decision goes",
] as const;

export type SectionTitle = (typeof titles)[number];

const head = [
  "# Benchmarks",
  "",
  "Written by `npm run bench`; do not edit anything but the last section. Every figure is compared with a baseline of the same",
  "run, against the same data, on the same machine: read the ratios, not the figures.",
  "",
].join("\n");

/** The sections of a page by their titles, each with its heading. */
export const sectionsOf = (page: string): Map<string, string> =>
  new Map(
    page
      .split(/^(?=## )/m)
      .filter((part) => part.startsWith("## "))
      .map((part) => [part.slice(3, part.indexOf("\n")), part.trimEnd()]),
  );

/** The page with one section replaced or added, the others as they were. */
export const pageWith = (page: string, title: SectionTitle, lines: readonly string[]): string => {
  const sections = sectionsOf(page);
  sections.set(title, [`## ${title}`, "", ...lines].join("\n").trimEnd());
  return [head, ...titles.flatMap((each) => sections.get(each) ?? []).map((text) => `${text}\n`)].join("\n");
};

/** Writes one section of `docs/benchmarks.md`. */
export const writeSection = (title: SectionTitle, lines: readonly string[]): void =>
  writeFileSync(file, pageWith(readFileSync(file, "utf8"), title, lines));

/** The list of known flaky tests in docs/testing.md. */
import { readFileSync } from "node:fs";
import { inRepository } from "../../repository.ts";

export interface FlakyTest {
  /** relative to the repository */
  readonly file: string;
  /** its full name, or a file as a whole */
  readonly test: string;
}

const heading = "## Flaky tests";

/** Rows of the table below the heading: file, test, what it assumes. */
export const flakyList = (
  page: string = readFileSync(inRepository("docs", "testing.md"), "utf8"),
): readonly FlakyTest[] => {
  const [, rest = ""] = page.split(heading);
  const [section = ""] = rest.split("\n## ");
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => {
      const [, file = "", test = ""] = line.split("|").map((cell) => cell.trim().replaceAll("`", ""));
      return { file, test };
    });
};

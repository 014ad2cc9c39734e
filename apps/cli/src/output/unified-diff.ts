import type { Style } from "./style.ts";

/** Two texts to compare, with their titles. */
export interface Compared {
  readonly from: string;
  readonly to: string;
  readonly before: string;
  readonly after: string;
}

const colour = (line: string, style: Style): string => {
  if (line.startsWith("+++") || line.startsWith("---")) return style("heading", line);
  if (line.startsWith("+")) return style("good", line);
  if (line.startsWith("-")) return style("bad", line);
  return line.startsWith("@@") ? style("faint", line) : line;
};

/** The difference in the format of `diff -u`; empty for equal texts. */
export const unifiedDiff = async ({ from, to, before, after }: Compared, style: Style): Promise<string> => {
  if (before === after) return "";
  const { createTwoFilesPatch } = await import("diff");
  const patch = createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 3 });
  return patch
    .replace(/^(Index: .*\n)?=+\n/, "")
    .trimEnd()
    .split("\n")
    .map((line) => `${colour(line, style)}\n`)
    .join("");
};

/** A node of a tree of lines. */
export interface Branch {
  readonly text: string;
  readonly below?: readonly Branch[];
}

const linesBelow = (branches: readonly Branch[], indent: string): readonly string[] =>
  branches.flatMap(({ text, below = [] }, at) => {
    const isLast = at === branches.length - 1;
    const [first = "", ...rest] = text.split("\n");
    const deeper = indent + (isLast ? "   " : "│  ");
    return [
      `${indent}${isLast ? "└─ " : "├─ "}${first}`,
      ...rest.map((line) => `${deeper}${line}`),
      ...linesBelow(below, deeper),
    ];
  });

/** A tree as text. */
export const treeText = ({ text, below = [] }: Branch): string =>
  [text, ...linesBelow(below, "")].map((line) => `${line}\n`).join("");

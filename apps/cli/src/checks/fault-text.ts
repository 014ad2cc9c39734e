import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Fault, formatFault } from "@ikg/sources";
import type { Style } from "../output/style.ts";

/** Characters of a line that are shown. */
const widest = 160;

/** A fault, or a warning, as compilers write it: its place and message, the line, and a caret below the place. */
export const faultText = async (
  fault: Fault,
  cwd: string,
  style: Style,
  kind: "fault" | "warning" = "fault",
): Promise<string> => {
  const meaning = kind === "fault" ? "bad" : "attention";
  const text = await readFile(resolve(cwd, fault.file), "utf8").catch(() => "");
  const line = text.split("\n")[fault.line - 1]?.trimEnd();
  const heading = `${style(meaning, `${kind === "warning" ? "warning: " : ""}${formatFault(fault)}`)}\n`;
  if (line === undefined || line === "" || fault.column > widest) return heading;
  const gutter = `${fault.line} | `;
  const margin = " ".repeat(gutter.length - 2) + "| ";
  // Tabs stand as they do in the line above.
  const before = line.slice(0, fault.column - 1).replaceAll(/[^\t]/g, " ");
  return `${heading}${style("faint", gutter)}${line.slice(0, widest)}\n${style("faint", margin)}${before}${style(meaning, "^")}\n`;
};

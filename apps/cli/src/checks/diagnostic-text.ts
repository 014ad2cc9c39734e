import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Diagnostic, formatDiagnostic } from "@ikg/sources";
import type { Style } from "../output/style.ts";

/** Maximum number of characters of a source line. */
const maxWidth = 160;

/** An error or a warning in the format of compilers: position and message, the source line, and a caret. */
export const diagnosticText = async (
  fault: Diagnostic,
  cwd: string,
  style: Style,
  kind: "error" | "warning" = "error",
): Promise<string> => {
  const meaning = kind === "error" ? "bad" : "attention";
  const text = await readFile(resolve(cwd, fault.file), "utf8").catch(() => "");
  const line = text.split("\n")[fault.line - 1]?.trimEnd();
  const heading = `${style(meaning, `${kind === "warning" ? "warning: " : ""}${formatDiagnostic(fault)}`)}\n`;
  if (line === undefined || line === "" || fault.column > maxWidth) return heading;
  const gutter = `${fault.line} | `;
  const margin = " ".repeat(gutter.length - 2) + "| ";
  // Tabs are kept, so that the caret is aligned.
  const before = line.slice(0, fault.column - 1).replaceAll(/[^\t]/g, " ");
  return `${heading}${style("faint", gutter)}${line.slice(0, maxWidth)}\n${style("faint", margin)}${before}${style(meaning, "^")}\n`;
};

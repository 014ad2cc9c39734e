/** What pages of docs tell an operator to run and to set: docs/operations.md where none is named. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "../../repository.ts";

const operations = "operations.md";

const block = (name: string, start: string, page = operations): string => {
  const text = readFileSync(inRepository("docs", page), "utf8");
  const found = new RegExp(`${start}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/${page} has no ${name}`);
  return found;
};

/** The commands after `<!-- run: NAME -->`. */
export const documentedCommands = (name: string, page = operations): string =>
  block(`commands ${name}`, `<!-- run: ${name} -->\n+\`\`\`sh`, page);

/** The statement of Cypher after `<!-- run: NAME -->`. */
export const documentedStatement = (name: string): string =>
  block(`statement ${name}`, `<!-- run: ${name} -->\n+\`\`\`cypher`);

/** Runs the commands after `<!-- run: NAME -->` in a new folder. @returns the folder */
export const runDocumentedCommands = async (name: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-docs-"));
  await promisify(execFile)("sh", ["-euc", documentedCommands(name)], { cwd: folder });
  return folder;
};

/** The lines of the first block after a sentence, such as settings of a store. */
export const documentedLines = (sentence: string): readonly string[] =>
  block(`block after "${sentence}"`, `${sentence}[^\n]*\n+\`\`\`\\w*`).trim().split("\n");

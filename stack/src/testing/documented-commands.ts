/** What docs/operations.md tells an operator to run and to set. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "../repository.ts";

const page = (): string => readFileSync(inRepository("docs", "operations.md"), "utf8");

const block = (name: string, start: string): string => {
  const found = new RegExp(`${start}\n([\\s\\S]*?)\`\`\``).exec(page())?.[1];
  if (found === undefined) throw new Error(`docs/operations.md has no ${name}`);
  return found;
};

/** The commands after `<!-- run: NAME -->`. */
export const documentedCommands = (name: string): string =>
  block(`commands ${name}`, `<!-- run: ${name} -->\n+\`\`\`sh`);

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

import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type DiagnosticList, type Place, readSource, type Source } from "@ikg/sources";
import { isRecordFile } from "../../records/file-names.ts";
import { quoteShortForms } from "./quote-short-forms.ts";

/** A parsed file, with its folder. */
export interface OpenedFile {
  readonly source: Source;
  readonly folder: string;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EISDIR: "is a directory; a file expected",
};

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
};

/** The path of a file for reports: relative if it is below the working directory. */
export const shownPath = (cwd: string, file: string): string => {
  const path = relative(cwd, file);
  return path === "" || path.startsWith("..") ? file : path;
};

/** Reads the files of one world, and records their paths. */
export class Files {
  readonly #cwd: string;
  readonly #faults: DiagnosticList;
  readonly #read = new Set<string>();

  constructor(cwd: string, faults: DiagnosticList) {
    this.#cwd = cwd;
    this.#faults = faults;
  }

  /** Absolute paths of all files and folders that were read. */
  get dependencies(): readonly string[] {
    return [...this.#read];
  }

  /** Parses the text of a file, which may contain short forms. */
  parse(file: string, content: string): Source | undefined {
    const { text, quoted } = quoteShortForms(content);
    return readSource(file, text, this.#faults, quoted);
  }

  /** @param from the position of the reference to the file */
  async open(file: string, from: Place): Promise<OpenedFile | undefined> {
    this.#read.add(file);
    try {
      const text = await readFile(file, "utf8");
      const source = this.parse(shownPath(this.#cwd, file), text);
      return source && { source, folder: dirname(file) };
    } catch (error) {
      this.#faults.add(from, `${shownPath(this.#cwd, file)}: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Opens a file, or all record files below a folder, sorted by name. */
  async openAll(folder: string, path: string, from: Place): Promise<readonly OpenedFile[]> {
    const target = resolve(folder, path);
    this.#read.add(target);
    try {
      const opened = [];
      for (const file of (await stat(target)).isDirectory() ? await this.#list(target) : [target])
        opened.push(await this.open(file, from));
      return opened.filter((each) => each !== undefined);
    } catch (error) {
      this.#faults.add(from, `${path}: ${reasonOf(error)}`);
      return [];
    }
  }

  async #list(folder: string): Promise<string[]> {
    this.#read.add(folder);
    const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
    const files: string[] = [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) files.push(...(await this.#list(path)));
      else if (isRecordFile(entry.name)) files.push(path);
    }
    return files;
  }
}

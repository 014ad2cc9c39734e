/** A folder in which shell commands find a test's own programs before those of the machine. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

export interface ShellResult {
  /** null where a signal ended the shell */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ShellFolder {
  /** Path of a file in the folder. */
  readonly path: (name: string) => string;
  /**
   * Runs sh in the folder.
   *
   * @param args such as `["-c", COMMANDS]`
   * @param variables besides PATH, TMPDIR, which is the folder, and NOTES
   */
  run(args: readonly string[], variables?: Readonly<Record<string, string>>): ShellResult;
  /** Lines that programs have appended to the file `$NOTES` since the last call. */
  takeNotes(): readonly string[];
  remove(): void;
}

const endsWithinMs = 60_000;

/** @param programs texts of scripts by name; a name with a slash is a path in the folder, others are found by their name */
export const makeShellFolder = (programs: Readonly<Record<string, string>>): ShellFolder => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-shell-"));
  const path = (name: string): string => join(folder, name);
  for (const [name, text] of Object.entries(programs)) {
    const file = name.includes("/") ? path(name) : path(join("bin", name));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o700 });
  }
  const notes = path("notes");
  return {
    path,
    run: (args, variables = {}) => {
      const { status, stdout, stderr } = spawnSync("sh", args, {
        encoding: "utf8",
        cwd: folder,
        timeout: endsWithinMs,
        env: {
          PATH: `${path("bin")}${delimiter}${process.env["PATH"] ?? ""}`,
          TMPDIR: folder,
          NOTES: notes,
          ...variables,
        },
      });
      return { status, stdout, stderr };
    },
    takeNotes: () => {
      if (!existsSync(notes)) return [];
      const lines = readFileSync(notes, "utf8").trim().split("\n");
      rmSync(notes);
      return lines;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
};

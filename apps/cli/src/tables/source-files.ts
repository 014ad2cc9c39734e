import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { formatOfName, type TableFormat } from "@ikg/imports";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { fileBytes, isGzip, type NamedFile } from "./file-bytes.ts";
import { type LocalFile, localFile } from "./local-file.ts";

/** Files of a command line, which can be read several times. */
export interface SourceFiles {
  readonly files: readonly LocalFile[];
  /** Whether one of them is standard input, which another run cannot read again. */
  readonly haveInput: boolean;
  /** Deletes temporary copies. */
  close(): Promise<void>;
}

/** @throws CommandFault for an unknown extension. */
export const formatOf = (file: string): TableFormat => {
  const format = formatOfName(file);
  if (format !== undefined) return format;
  if (file === "-") throw new CommandFault("standard input requires --format");
  throw new CommandFault(
    `${file}: unsupported file type; accepted: .csv, .tsv, .tab, .ndjson, .jsonl and .parquet, each optionally with .gz; for other names, set --format`,
  );
};

/** Writes a copy that only its owner can read. */
const copyTo = async (folder: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const path = join(folder, name);
  await pipeline(Readable.from(bytes, { objectMode: false }), createWriteStream(path, { mode: 0o600 }));
  return path;
};

const existing = async (name: string, cwd: string): Promise<NamedFile> => {
  const path = resolve(cwd, name);
  const about = await stat(path).catch(() => undefined);
  if (about?.isFile() !== true) throw new CommandFault(`${name} is not a file`);
  return { name, path };
};

/**
 * Opens the files of a command line. Standard input is copied, because rows are read several times. Compressed Parquet files are
 * copied as well, because they are not read sequentially.
 *
 * @throws CommandFault for a missing file.
 */
export const openSourceFiles = async (
  names: readonly string[],
  format: TableFormat | undefined,
  { cwd, input }: Pick<CommandEnvironment, "cwd" | "input">,
): Promise<SourceFiles> => {
  const formats = names.map((name) => format ?? formatOf(name));
  let folder: string | undefined;
  const close = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  const copy = async (at: number, bytes: AsyncIterable<Uint8Array>): Promise<string> => {
    folder ??= await mkdtemp(join(tmpdir(), "ikg-import-"));
    return copyTo(folder, String(at), bytes);
  };
  const open = async (name: string, at: number): Promise<LocalFile> => {
    const file =
      name === "-" ? { name: "standard input", path: await copy(at, input()) } : await existing(name, cwd);
    const own = formats[at] ?? "ndjson";
    if (own !== "parquet" || !(await isGzip(file)))
      return localFile({ ...file, origin: file.path, format: own });
    const path = await copy(names.length + at, fileBytes(file));
    return localFile({ ...file, path, origin: file.path, format: own });
  };
  try {
    const files: LocalFile[] = [];
    for (const [at, name] of names.entries()) files.push(await open(name, at));
    return { files, haveInput: names.includes("-"), close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Total size of all stored files. */
export const bytesOf = async ({ files }: SourceFiles): Promise<number> => {
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";

/** One built file, as it is sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly content: Buffer;
  /** Undefined for what is compressed already. */
  readonly compressed: Buffer | undefined;
  /** The entity tag of each form: they are different bytes. */
  readonly etag: string;
  readonly compressedEtag: string;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
  txt: "text/plain; charset=utf-8",
};

const isText = (type: string): boolean => /^(text\/|image\/svg)/.test(type);

const etagOf = (content: Buffer): string =>
  `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;

const readFile = (path: string, name: string): ConsoleFile | undefined => {
  const type = types[name.slice(name.lastIndexOf(".") + 1)];
  if (type === undefined) return undefined;
  const content = readFileSync(path);
  const compressed = isText(type) ? gzipSync(content, { level: 9 }) : undefined;
  return {
    type,
    content,
    compressed,
    etag: etagOf(content),
    compressedEtag: etagOf(compressed ?? content),
    isImmutable: name.startsWith("assets/"),
  };
};

/**
 * Reads the built console once: a request chooses among these names and reaches no file system.
 *
 * @returns the files by their path below the folder; undefined where none was built.
 */
export const readConsoleFiles = (folder: string): ReadonlyMap<string, ConsoleFile> | undefined => {
  const files = new Map<string, ConsoleFile>();
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return undefined;
  }
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    const file = readFile(path, name);
    if (file !== undefined) files.set(name, file);
  }
  return files.has("index.html") ? files : undefined;
};

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** A file in memory, as it is sent. */
export interface StaticFile {
  readonly type: string;
  readonly content: Buffer;
  /** Undefined for what is compressed already. */
  readonly compressed: Buffer | undefined;
  /** The entity tag of each form: they are different bytes. */
  readonly etag: string;
  readonly compressedEtag: string;
}

/** By the ending of a name. */
export const fileTypes = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
  txt: "text/plain; charset=utf-8",
} as const;

const isText = (type: string): boolean => /^(text\/|image\/svg|application\/json)/.test(type);

const etagOf = (content: Buffer): string =>
  `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;

/** @param type as the header `Content-Type` has it; texts are compressed, once. */
export const staticFile = (type: string, content: Buffer): StaticFile => {
  const compressed = isText(type) ? gzipSync(content, { level: 9 }) : undefined;
  return { type, content, compressed, etag: etagOf(content), compressedEtag: etagOf(compressed ?? content) };
};

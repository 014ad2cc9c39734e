/** Uploads of imports. */
import { gzipSync } from "node:zlib";
import { type Credentials, withKey } from "../../requests/data-plane.ts";
import type { Answer } from "../../requests/send.ts";

export const importsPath = "/capture/v1/imports";

export const upload = (by: Credentials, raw: Uint8Array<ArrayBuffer>, encoding?: string): Promise<Answer> =>
  withKey(importsPath, by, {
    raw,
    headers: {
      "Content-Type": "application/x-ndjson",
      ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    },
  });

/** Statuses of an upload that holds more than it may. */
export const tooMuch = [400, 413, 422];

/** Content of gzip that is 9 MB for each of its members when it is decompressed. */
export const gzipBomb = (members: number): Uint8Array<ArrayBuffer> => {
  const row = `${JSON.stringify({ node: { type: "Row", external_id: "same" } })}${" ".repeat(900_000)}\n`;
  // Members of gzip one after the other are one stream (RFC 1952, section 2.2).
  const member = gzipSync(row.repeat(10), { level: 9 });
  return Buffer.concat(Array.from({ length: members }, () => member));
};

/** Blank lines of the given size. */
export const blankLines = (megabytes: number): Uint8Array<ArrayBuffer> =>
  Buffer.alloc(megabytes * 1_000_000, "\n");

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { KeySource } from "./sealing-key.ts";

/**
 * A backup is one line of JSON, then frames: four bytes of length, sealed bytes, and a tag of 16. The number of a frame and
 * whether it is the last one are sealed with it, as is the line before: frames that are changed, moved, missing or of another
 * backup do not open.
 */
export interface Header {
  readonly format: "ikg-backup";
  readonly version: 1;
  readonly key: KeySource;
  /** First bytes of every nonce; the rest is the number of the frame. */
  readonly nonce: string;
  readonly created_at: string;
}

const algorithm = "aes-256-gcm";
const tagLength = 16;

/** Most bytes of a frame before it is sealed, and of its sealed form without the length in front. */
export const frameBytes = 1024 * 1024;
export const sealedFrameBytes = frameBytes + tagLength;

export const newHeader = (key: KeySource, now: Date): Header => ({
  format: "ikg-backup",
  version: 1,
  key,
  nonce: randomBytes(8).toString("base64"),
  created_at: now.toISOString(),
});

/** @throws Error when it is not a backup, or one of a later version. */
export const parseHeader = (line: string): Header => {
  let header: Partial<Header> | null;
  try {
    header = JSON.parse(line) as Partial<Header> | null;
  } catch {
    throw new Error("this file is not a backup");
  }
  if (header?.format !== "ikg-backup") throw new Error("this file is not a backup");
  if (header.version !== 1) throw new Error("this backup was made by a later release");
  return header as Header; // as `newHeader` made it; a changed one opens no frame
};

const additional = (headerLine: string, number: number, isLast: boolean): Buffer =>
  Buffer.concat([
    createHash("sha256").update(headerLine).digest(),
    Buffer.from(`${number}/${isLast ? "last" : "more"}`),
  ]);

const nonceOf = ({ nonce }: Header, number: number): Buffer => {
  const bytes = Buffer.alloc(12);
  Buffer.from(nonce, "base64").copy(bytes);
  bytes.writeUInt32BE(number, 8);
  return bytes;
};

/** Seals frames in their order. */
export const frameSealer = (key: Buffer, header: Header) => {
  const line = JSON.stringify(header);
  let number = 0;
  return (bytes: Uint8Array, isLast: boolean): Buffer => {
    const cipher = createCipheriv(algorithm, key, nonceOf(header, number), { authTagLength: tagLength });
    cipher.setAAD(additional(line, number, isLast));
    number += 1;
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(sealed.length);
    return Buffer.concat([length, sealed]);
  };
};

/** Opens frames in their order. @throws Error when one does not open */
export const frameOpener = (key: Buffer, headerLine: string) => {
  const header = parseHeader(headerLine);
  let number = 0;
  return (sealed: Buffer, isLast: boolean): Buffer => {
    const decipher = createDecipheriv(algorithm, key, nonceOf(header, number), { authTagLength: tagLength });
    decipher.setAAD(additional(headerLine, number, isLast));
    const end = sealed.length - tagLength;
    if (end < 0) throw new Error("the backup is cut off");
    decipher.setAuthTag(sealed.subarray(end));
    try {
      const bytes = Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
      number += 1;
      return bytes;
    } catch {
      throw new Error(
        number === 0
          ? "the backup does not open: it was sealed by another key, or changed"
          : "the backup was changed, or is cut off",
      );
    }
  };
};

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

const algorithm = "aes-256-gcm";
const nonceLength = 12;
const tagLength = 16;

/** The record and field that a sealed text belongs to: it opens nowhere else. */
export interface SealedPlace {
  /** gid of the record. */
  readonly record: string;
  readonly field: string;
}

const additional = ({ record, field }: SealedPlace): Buffer => Buffer.from(`${record}/${field}`);

/** Seals a text: base64url of key id, nonce, cipher text and tag. */
export const seal = ({ current }: KeyRing, place: SealedPlace, text: string): string => {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, current.key, nonce, { authTagLength: tagLength });
  cipher.setAAD(additional(place));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(current.id), nonce, sealed, cipher.getAuthTag()]).toString("base64url");
};

/** Whether a sealed text was sealed by the current key. */
export const isCurrent = ({ current }: KeyRing, sealed: string): boolean =>
  Buffer.from(sealed.slice(0, 4), "base64url").at(0) === current.id;

/**
 * Opens a sealed text.
 *
 * @throws Error when its key is not in the ring, when it was sealed for another place, or when it was changed; the
 *   error says nothing of its content.
 */
export const open = ({ byId }: KeyRing, place: SealedPlace, sealed: string): string => {
  const bytes = Buffer.from(sealed, "base64url");
  const key = byId.get(bytes.at(0) ?? -1);
  if (key === undefined || bytes.length < 1 + nonceLength + tagLength)
    throw new Error("a stored secret was sealed with a key that is not configured");
  const nonce = bytes.subarray(1, 1 + nonceLength);
  const end = bytes.length - tagLength;
  const decipher = createDecipheriv(algorithm, key.key, nonce, { authTagLength: tagLength });
  decipher.setAAD(additional(place));
  decipher.setAuthTag(bytes.subarray(end));
  try {
    return decipher.update(bytes.subarray(1 + nonceLength, end), undefined, "utf8") + decipher.final("utf8");
  } catch {
    throw new Error("a stored secret cannot be opened: it was changed, or belongs to another record");
  }
};

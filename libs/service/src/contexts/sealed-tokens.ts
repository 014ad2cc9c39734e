import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";

/** Texts that callers carry for us and can neither read, make nor change. */
export interface SealedTokens {
  /** @param scope what the token is bound to; it is not in the token. Equal content and scope give an equal token. */
  issue(content: unknown, scope: unknown): string;
  /** @returns what was issued for this scope, undefined for everything else. */
  read(token: string, scope: unknown): unknown;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

const tokenForm = /^[A-Za-z0-9_-]+$/;

/**
 * Tokens are encrypted: their content may name states of the database, which count the writes of every tenant, and nodes
 * that the caller may not see.
 *
 * @param key TOKEN_SEALING_KEY
 * @param purpose tokens of each purpose have keys of their own, derived by HKDF (RFC 5869).
 * @param former keys of earlier rotations, whose tokens are accepted as well.
 */
export const sealedTokens = (
  key: Uint8Array,
  purpose: string,
  former: readonly Uint8Array[] = [],
): SealedTokens => {
  const keyFor = (use: string, from = key): Buffer =>
    Buffer.from(hkdfSync("sha256", from, "", `${purpose}: ${use}`, 32));
  const cipherKey = keyFor("cipher");
  const nonceKey = keyFor("nonce");
  const openingKeys = [cipherKey, ...former.map((each) => keyFor("cipher", each))];
  return {
    issue: (content, scope) => {
      const text = JSON.stringify(content);
      const additional = JSON.stringify(scope);
      // Derived from what is sealed: a cursor is the same whenever it is issued, and no two contents share a nonce.
      const nonce = createHmac("sha256", nonceKey)
        .update(`${text}\n${additional}`)
        .digest()
        .subarray(0, nonceBytes);
      const cipher = createCipheriv(algorithm, cipherKey, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(additional));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url");
    },
    read: (token, scope) => {
      const bytes = Buffer.from(token, "base64url");
      const end = bytes.length - tagBytes;
      // The decoder skips what it does not know, and the last character has bits that stand for nothing.
      const isExact = tokenForm.test(token) && bytes.toString("base64url") === token;
      if (!isExact || end <= nonceBytes) return undefined;
      const additional = Buffer.from(JSON.stringify(scope));
      for (const openingKey of openingKeys) {
        const text = decrypt(openingKey, bytes, additional);
        if (text !== undefined) return JSON.parse(text) as unknown;
      }
      return undefined;
    },
  };
};

/** @returns undefined for what this key did not seal for this scope. */
const decrypt = (key: Buffer, bytes: Buffer, additional: Buffer): string | undefined => {
  const end = bytes.length - tagBytes;
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(additional);
  decipher.setAuthTag(bytes.subarray(end));
  try {
    return decipher.update(bytes.subarray(nonceBytes, end), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
};

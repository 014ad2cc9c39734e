import { createHmac, timingSafeEqual } from "node:crypto";

/** Texts that callers carry for us and cannot make or change. */
export interface SignedTokens {
  /** @param scope what the token is bound to; it is not in the token. */
  issue(content: unknown, scope: unknown): string;
  /** @returns what was issued for this scope, undefined for everything else. */
  read(token: string, scope: unknown): unknown;
}

/** Of a SHA-256; longer ones would make nothing safer and every address longer. */
const signatureBytes = 16;

/**
 * @param key INTERNAL_CONTEXT_KEY
 * @param purpose tokens of each purpose have a key of their own, derived from it.
 */
export const signedTokens = (key: Uint8Array, purpose: string): SignedTokens => {
  const own = createHmac("sha256", key).update(purpose).digest();
  const sign = (content: string, scope: unknown): Buffer =>
    createHmac("sha256", own)
      .update(`${content}\n${JSON.stringify(scope)}`)
      .digest()
      .subarray(0, signatureBytes);
  return {
    issue: (content, scope) => {
      const text = Buffer.from(JSON.stringify(content)).toString("base64url");
      return `${text}.${sign(text, scope).toString("base64url")}`;
    },
    read: (token, scope) => {
      const [text = "", signature = "", ...more] = token.split(".");
      const given = Buffer.from(signature, "base64url");
      if (more.length > 0 || given.length !== signatureBytes) return undefined;
      if (!timingSafeEqual(given, sign(text, scope))) return undefined;
      return JSON.parse(Buffer.from(text, "base64url").toString()) as unknown;
    },
  };
};

import { createHash } from "node:crypto";

/** A hash that distinguishes texts. */
export const textDigest = (text: string): string => createHash("sha256").update(text).digest("base64url");

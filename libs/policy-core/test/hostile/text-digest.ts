import { createHash } from "node:crypto";

/** A hash by which texts are told apart. */
export const textDigest = (text: string): string => createHash("sha256").update(text).digest("base64url");

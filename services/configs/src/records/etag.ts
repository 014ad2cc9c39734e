import { randomBytes } from "node:crypto";

/** A new entity tag: opaque, never used before. */
export const newEtag = (): string => randomBytes(12).toString("base64url");

import { randomBytes } from "node:crypto";

/** A record name that no other run has. */
export const freshName = (stem: string): string => `${stem}-${randomBytes(6).toString("hex")}`;

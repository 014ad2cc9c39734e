import type { Version } from "../versions.ts";

/** Something that is refused, and the text by which it is. */
export interface Refusal {
  /** The whole answer, its place included. */
  readonly text: string;
  /** The part of a policy or query that causes it, as its author writes it. */
  readonly example: string;
}

export const all: readonly Version[] = ["2.0-kbac", "3.0-kbac", "1.0-ciq"];
export const kbac: readonly Version[] = ["2.0-kbac", "3.0-kbac"];
export const routed: readonly Version[] = ["3.0-kbac"];
export const unrouted: readonly Version[] = ["2.0-kbac", "1.0-ciq"];
export const ciq: readonly Version[] = ["1.0-ciq"];

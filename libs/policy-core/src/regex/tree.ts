import type { CodePoints } from "./code-points.ts";

/** A place between characters: begin and end of the text, at or not at a border of an ASCII word. */
export type Place = "begin" | "end" | "word" | "no-word";

/** A regular expression as a set of texts; groups and greed make no difference to it. */
export type Regex =
  | { readonly kind: "set"; readonly set: CodePoints }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "sequence"; readonly parts: readonly Regex[] }
  | { readonly kind: "choice"; readonly parts: readonly Regex[] }
  /** `most` is Infinity where there is no end. */
  | { readonly kind: "repeat"; readonly part: Regex; readonly least: number; readonly most: number };

export type Repeat = Extract<Regex, { readonly kind: "repeat" }>;
export type RegexSet = Extract<Regex, { readonly kind: "set" }>;

export const empty: Regex = { kind: "sequence", parts: [] };

export const isEmpty = (regex: Regex): boolean => regex.kind === "sequence" && regex.parts.length === 0;

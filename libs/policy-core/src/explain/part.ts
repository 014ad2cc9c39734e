import { type Place, placeOf, type Span } from "../cypher/diagnostic.ts";

/**
 * `node`: where a pattern begins, with its label; `hop`: a relationship and the node it leads to; `predicate`: a
 * conjunct of a WHERE, an entry of an inline map, a label at the end of a hop; `clause`: UNWIND, CALL, and a WITH
 * that cuts rows.
 */
export type PartKind = "clause" | "node" | "hop" | "predicate";

/** A part of a policy's cypher, by its place in the author's text; `to` is the place after its last character. */
export interface Part {
  readonly kind: PartKind;
  readonly from: Place;
  readonly to: Place;
  readonly text: string;
}

export const partOf = (kind: PartKind, text: string, { at, end }: Span): Part => ({
  kind,
  from: placeOf(text, at),
  to: placeOf(text, end),
  text: text.slice(at, end),
});

import type { PatternPart } from "@ikg/client";
import { shownCell } from "../output/cell.ts";

/** The part of a pattern that has no match, with its place in the author's text. */
export const partLine = ({ kind, text, from, certain }: PatternPart): string =>
  `${certain ? "no match for" : "probably no match for"} this ${kind} (line ${from.line}, column ${from.column}): ${shownCell(text)}`;

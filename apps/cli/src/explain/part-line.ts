import type { PatternPart } from "@ikg/client";
import { shownCell } from "../output/cell.ts";

/** The part of a pattern without a match, with its position in the text of the policy. */
export const partLine = ({ kind, text, from, certain }: PatternPart): string =>
  `${certain ? "no match for" : "probably no match for"} this ${kind} (line ${from.line}, column ${from.column}): ${shownCell(text)}`;

import { resumingWords } from "./clause-words.ts";
import type { Reader } from "./reader.ts";
import type { Token } from "../lex/token.ts";

/** Words after which something else than a clause follows, though its word may look like one. */
const awaiting = new Set([
  ...["AS", "AND", "OR", "XOR", "NOT", "IN", "CONTAINS", "STARTS", "ENDS", "WITH", "BY", "WHERE", "DISTINCT"],
  ...["OPTIONAL", "ON", "CSV", "SET", "REMOVE", "DELETE"],
]);

/**
 * Goes from the refused clause that begins at `start` to the next word that begins a clause, so that the other
 * faults of the text are found too. What is in brackets is left out. Wrong guesses cannot let anything through:
 * the text is refused already.
 */
export const skipClause = (reader: Reader, start: number): void => {
  reader.index = after(reader, start);
  for (;;) {
    const { token } = reader;
    if (token.kind === "end" || (token.kind === "mark" && token.mark === "}")) return;
    if (isClauseStart(reader)) return;
    reader.index = after(reader, reader.index);
  }
};

const after = (reader: Reader, index: number): number => {
  const token = reader.tokenAt(index);
  if (token.kind === "end") return index;
  return token.kind === "mark" && token.partner > index ? token.partner + 1 : index + 1;
};

const isClauseStart = (reader: Reader): boolean => {
  const { token } = reader;
  if (token.kind !== "name" || !resumingWords.has(token.word)) return false;
  const before = reader.tokenAt(reader.index - 1);
  const next = reader.ahead(1);
  if (next.kind === "mark" && [".", "=", ":", ","].includes(next.mark)) return false;
  return endsOperand(before);
};

const endsOperand = (token: Token): boolean => {
  if (token.kind === "name") return !awaiting.has(token.word);
  return token.kind === "mark" ? [")", "]", "}", "*", ";", "%"].includes(token.mark) : true;
};

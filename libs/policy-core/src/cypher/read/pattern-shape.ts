import type { Reader } from "./reader.ts";
import type { Token } from "../lex/token.ts";

/**
 * Tells `(a)-->(b)` the pattern from `(a) - (b)` the arithmetic, as the database does (section 2.11): by what
 * follows the closing parenthesis. Partners of brackets are known, so each answer costs the same.
 */
export const isPatternAt = (reader: Reader, index: number): boolean => {
  const open = reader.tokenAt(index);
  return isMark(open, "(") && isNodeInside(reader, index) && isRelationshipAt(reader, partnerOf(open) + 1);
};

/** Whether `-[…]->(`, `<--(`, `--(` and the like begin at this token. */
export const isRelationshipAt = (reader: Reader, index: number): boolean => {
  let at = index;
  if (isMark(reader.tokenAt(at), "<")) at += 1;
  if (!isMark(reader.tokenAt(at), "-")) return false;
  at += 1;
  const details = reader.tokenAt(at);
  if (isMark(details, "[")) {
    if (!isElementInside(reader, at, "*")) return false;
    at = partnerOf(details) + 1;
  }
  if (!isMark(reader.tokenAt(at), "-")) return false;
  at += 1;
  if (!isMark(reader.tokenAt(at), ">")) return isMark(reader.tokenAt(at), "(");
  // An arrow head settles it: what follows is a node, or a quantifier that is refused by name.
  return true;
};

const isNodeInside = (reader: Reader, open: number): boolean => isElementInside(reader, open, undefined);

/** Whether a bracket begins like a node or, with `*` possible, like the details of a relationship. */
const isElementInside = (reader: Reader, open: number, star: "*" | undefined): boolean => {
  const first = reader.tokenAt(open + 1);
  const rest = first.kind === "name" && first.word !== "WHERE" ? reader.tokenAt(open + 2) : first;
  if (rest.kind === "name") return rest.word === "WHERE" || rest.word === "IS";
  if (rest.kind !== "mark") return false;
  return ["}", ")", "]", ":", "{", "$"].includes(rest.mark) || rest.mark === star;
};

const isMark = (token: Token, mark: string): boolean => token.kind === "mark" && token.mark === mark;

const partnerOf = (token: Token): number => (token.kind === "mark" ? token.partner : -1);

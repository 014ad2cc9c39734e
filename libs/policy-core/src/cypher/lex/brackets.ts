import { LexicalFault } from "./lexical-fault.ts";
import type { MarkToken, Token } from "./token.ts";

const closing = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const closers = new Set(closing.values());

/** Deepest nesting of brackets. Keeps the recursion of every reader and rewriter of the tree small. */
export const deepestNesting = 64;

/**
 * Gives every bracket the index of its partner, so that the parser can look behind a bracket without reading
 * what is inside: its decisions cost the same however long the text is.
 */
export const pairBrackets = (tokens: readonly Token[]): readonly Token[] => {
  const paired = [...tokens];
  const open: { readonly index: number; readonly token: MarkToken }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "mark") continue;
    if (closing.has(token.mark)) {
      if (open.length === deepestNesting) {
        throw new LexicalFault(`nesting deeper than ${deepestNesting} levels is not allowed`, token.at);
      }
      open.push({ index, token });
    } else if (closers.has(token.mark)) {
      const begin = open.pop();
      if (begin === undefined || closing.get(begin.token.mark) !== token.mark) {
        throw new LexicalFault(`unexpected "${token.mark}"`, token.at);
      }
      paired[begin.index] = { ...begin.token, partner: index };
      paired[index] = { ...token, partner: begin.index };
    }
  }
  const left = open.at(-1);
  if (left !== undefined) throw new LexicalFault(`"${left.token.mark}" is not closed`, left.token.at);
  return paired;
};

import { LexicalFault, isBlank, isDigit, isNamePart, isNameStart, lexNumber, lexString } from "./literals.ts";
import { comparisonMarks, infixMarks } from "../operators.ts";
import type { MarkToken, Token, NameToken } from "./token.ts";

const closing = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const closers = new Set(closing.values());

/** Limit of nested brackets; it bounds the recursion of every reader and rewriter of the tree. */
export const maxNesting = 64;

/**
 * Gives every bracket the index of its partner, so that the parser can look behind a bracket without reading
 * what is inside: its decisions cost the same however long the text is.
 */
const pairBrackets = (tokens: readonly Token[]): readonly Token[] => {
  const paired = [...tokens];
  const open: { readonly index: number; readonly token: MarkToken }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "mark") continue;
    if (closing.has(token.mark)) {
      if (open.length === maxNesting) {
        throw new LexicalFault(`nesting deeper than ${maxNesting} levels is not allowed`, token.at);
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

/** Longest first. Arrows are made of single marks, as in the database: `- [r] - >` is one. */
const twoCharacterMarks: ReadonlySet<string> = new Set(
  ["..", ...infixMarks.keys(), ...comparisonMarks.keys()].filter((mark) => mark.length === 2),
);
const oneCharacterMarks = new Set("()[]{}.,:;|&!%$=<>+-*/^");

/**
 * Cuts a text into tokens; the last one is always the end. Reads every character
 * once. Brackets know their partners.
 *
 * @throws LexicalFault for the first thing that cannot be a token, an open or surplus bracket, too deep nesting
 */
export const lex = (text: string): readonly Token[] => {
  // The database decodes this escape before it cuts tokens, inside strings, names and comments too.
  const escape = text.indexOf("\\u");
  if (escape >= 0) throw new LexicalFault('escape "\\u" is not allowed', escape);
  if (!text.isWellFormed()) throw new LexicalFault("text is not well-formed Unicode", 0);

  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    if (at >= text.length) break;
    const token = lexToken(text, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: "end", at: text.length, end: text.length });
  return pairBrackets(tokens);
};

const skipBlanks = (text: string, from: number): number => {
  let at = from;
  for (;;) {
    if (isBlank(text.charCodeAt(at))) at += 1;
    else if (text.startsWith("//", at)) at = lineEnd(text, at);
    else if (text.startsWith("/*", at)) at = commentEnd(text, at);
    else return at;
  }
};

const lineEnd = (text: string, from: number): number => {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\n" || text[at] === "\r") return at;
    if (text.charCodeAt(at) > 126) throw notAscii(text, at);
  }
  return text.length;
};

const commentEnd = (text: string, from: number): number => {
  const end = text.indexOf("*/", from + 2);
  if (end < 0) throw new LexicalFault("comment is not closed", from);
  for (let at = from; at < end; at += 1) if (text.charCodeAt(at) > 126) throw notAscii(text, at);
  return end + 2;
};

const lexToken = (text: string, at: number): Token => {
  const code = text.charCodeAt(at);
  if (isNameStart(code)) return lexName(text, at);
  if (isDigit(code)) return lexNumber(text, at);
  const character = text.charAt(at);
  if (character === "`") return lexQuotedName(text, at);
  if (character === "'" || character === '"') return { kind: "string", ...lexString(text, at), at };
  if (character === "." && isDigit(text.charCodeAt(at + 1))) return lexNumber(text, at);
  const two = text.slice(at, at + 2);
  if (twoCharacterMarks.has(two)) return { kind: "mark", mark: two, partner: -1, at, end: at + 2 };
  if (oneCharacterMarks.has(character))
    return { kind: "mark", mark: character, partner: -1, at, end: at + 1 };
  if (code > 126) throw notAscii(text, at);
  throw new LexicalFault(`unexpected ${JSON.stringify(character)}`, at);
};

const lexName = (text: string, at: number): NameToken => {
  let end = at + 1;
  while (isNamePart(text.charCodeAt(end))) end += 1;
  const name = text.slice(at, end);
  return { kind: "name", name, word: name.toUpperCase(), at, end };
};

const lexQuotedName = (text: string, at: number): NameToken => {
  let name = "";
  for (let from = at + 1; ;) {
    const quote = text.indexOf("`", from);
    if (quote < 0) throw new LexicalFault("name in back-quotes is not closed", at);
    name += text.slice(from, quote);
    if (text[quote + 1] !== "`") {
      if (name === "") throw new LexicalFault("name in back-quotes is empty", at);
      if (name.includes("\\U")) throw new LexicalFault('escape "\\U" is not allowed in a name', at);
      return { kind: "name", name, word: "", at, end: quote + 1 };
    }
    name += "`";
    from = quote + 2;
  }
};

const notAscii = (text: string, at: number): LexicalFault =>
  new LexicalFault(
    `unexpected "${String.fromCodePoint(text.codePointAt(at) ?? 0)}": only ASCII outside strings and back-quotes`,
    at,
  );

import type { TextPosition } from "./text-position.ts";

/** Steps of a path as `query.nodes[0]`, without its first name. */
const stepsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\.?([^.[\]]+)/g)].flatMap(([, step]) => step ?? []).slice(1);

const positionAt = (text: string, offset: number): TextPosition => {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
};

const token = /\s*("(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+)/y;

interface Token {
  readonly text: string;
  readonly at: number;
}

const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [whole, word = ""] = found;
    tokens.push({ text: word, at: found.index + whole.length - word.length });
  }
  return tokens;
};

/** The token after the value that begins at a token. */
const endOf = (tokens: readonly Token[], start: number): number => {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { text } = tokens[at] ?? { text: "" };
    if (text === "{" || text === "[") depth++;
    if (text === "}" || text === "]") depth--;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
};

const nameOf = (word: string): string => {
  try {
    return String(JSON.parse(word));
  } catch {
    return word;
  }
};

/** The token where the member or item of a value begins; undefined where it has none. */
const childOf = (tokens: readonly Token[], start: number, step: string): number | undefined => {
  const isList = tokens[start]?.text === "[";
  if (!isList && tokens[start]?.text !== "{") return undefined;
  let at = start + 1;
  for (let index = 0; at < tokens.length; index++) {
    const first = tokens[at]?.text ?? "";
    if (first === "]" || first === "}") return undefined;
    const value = isList ? at : at + 2;
    if ((isList ? String(index) : nameOf(first)) === step) return value;
    at = endOf(tokens, value);
    if (tokens[at]?.text === ",") at++;
  }
  return undefined;
};

/**
 * Where the value of a path stands in a text of JSON: of the longest part of the path that the text has.
 *
 * @param path as a diagnostic names it, `query.nodes[0]`; its first name stands for the whole text.
 * @returns undefined for a text that holds no JSON.
 */
export const placeInJson = (text: string, path: string): TextPosition | undefined => {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return undefined;
  let at = 0;
  for (const step of stepsOf(path)) {
    const child = childOf(tokens, at, step);
    if (child === undefined) break;
    at = child;
  }
  return positionAt(text, tokens[at]?.at ?? 0);
};

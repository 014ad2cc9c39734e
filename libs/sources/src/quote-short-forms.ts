import { type CST, Parser } from "yaml";

/**
 * Where a list item begins with a text that YAML would read as a map, because the braces in it hold `name: value`:
 * `- Pilot amelia {hours: 1200} identity`. No key of a test file holds a brace.
 */
const startsOf = (token: CST.Token | null | undefined, found: number[]): void => {
  if (token === null || token === undefined) return;
  if (token.type === "document") startsOf(token.value, found);
  if (!("items" in token)) return;
  for (const { key, value } of token.items) {
    const first = token.type === "block-seq" && value?.type === "block-map" ? value.items[0]?.key : undefined;
    if (first?.type === "scalar" && /\s\{/.test(first.source)) found.push(first.offset);
    else for (const each of [key, value]) startsOf(each, found);
  }
};

/** The end of such a text: that of its line, or of the line on which its braces close; a comment is no part of it. */
const endOf = (text: string, start: number): number => {
  let depth = 0;
  let quote: string | undefined;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== undefined) {
      if (character === "\\" && quote === '"') at += 1;
      else if (character === quote) quote = undefined;
    } else if (/["']/.test(character) && /[\s{[,:]/.test(text.charAt(at - 1))) quote = character;
    else if ("{[".includes(character)) depth += 1;
    else if ("}]".includes(character)) depth -= 1;
    // A brace that is never closed takes no other item with it.
    else if (character === "\n" && /^\s*- /.test(text.slice(at + 1, at + 200))) return at;
    else if (depth <= 0 && (character === "\n" || (character === "#" && /\s/.test(text.charAt(at - 1)))))
      return at;
  }
  const line = text.indexOf("\n", start);
  return depth > 0 || quote !== undefined ? (line < 0 ? text.length : line) : text.length;
};

interface Quoted {
  readonly text: string;
  /** Where the opening quotes are. */
  readonly quoted: ReadonlySet<number>;
}

const quoteOnce = ({ text, quoted: before }: Quoted): Quoted => {
  const starts: number[] = [];
  for (const token of new Parser().parse(text)) startsOf(token, starts);
  const kept = [...before];
  const quoted = new Set<number>();
  let result = "";
  let done = 0;
  const copyTo = (end: number): void => {
    for (const at of kept) if (at >= done && at < end) quoted.add(result.length + at - done);
    result += text.slice(done, end);
    done = end;
  };
  for (const start of starts.sort((a, b) => a - b)) {
    if (start < done) continue;
    const source = text.slice(start, endOf(text, start)).trimEnd();
    copyTo(start);
    quoted.add(result.length);
    result += `'${source.replaceAll("'", "''")}'`;
    done = start + source.length;
  }
  copyTo(text.length);
  return { text: result, quoted };
};

/**
 * Puts short forms in quotes, so that YAML reads each as one text. Lines stay where they are, and so do columns, but
 * for those behind an opening quote. Repeated, because one that is not in quotes can hide those behind it.
 */
export const quoteShortForms = (text: string): Quoted => {
  let now: Quoted = { text, quoted: new Set() };
  for (;;) {
    const next = quoteOnce(now);
    if (next.quoted.size === now.quoted.size) return next;
    now = next;
  }
};

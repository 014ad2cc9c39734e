import { type CST, Parser } from "yaml";

/**
 * Finds list items that YAML would read as a map because their braces contain `name: value`:
 * `- Pilot amelia {hours: 1200} identity`. No key of a test file contains a brace.
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

/** The end of such an item: the end of its line, or of the line with its closing brace, without a comment. */
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
    // An unclosed brace must not swallow the next item.
    else if (character === "\n" && /^\s*- /.test(text.slice(at + 1, at + 200))) return at;
    else if (depth <= 0 && (character === "\n" || (character === "#" && /\s/.test(text.charAt(at - 1)))))
      return at;
  }
  const line = text.indexOf("\n", start);
  return depth > 0 || quote !== undefined ? (line < 0 ? text.length : line) : text.length;
};

interface QuotedText {
  readonly text: string;
  /** Offsets of the added opening quotes. */
  readonly quoted: ReadonlySet<number>;
}

const quoteOnce = ({ text, quoted: before }: QuotedText): QuotedText => {
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
 * Quotes short forms, so that YAML reads each as one text. Line numbers do not change, nor do columns before the first added
 * quote of a line. Repeated, because an unquoted short form can hide the ones after it.
 */
export const quoteShortForms = (text: string): QuotedText => {
  let now: QuotedText = { text, quoted: new Set() };
  for (;;) {
    const next = quoteOnce(now);
    if (next.quoted.size === now.quoted.size) return next;
    now = next;
  }
};

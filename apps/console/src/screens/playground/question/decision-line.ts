import type { Entity } from "@ikg/client";

/** A question in one line, as policy tests have it (docs/policy-tests.md). */
export interface Line {
  readonly subject: Entity;
  readonly action: string;
  readonly resource: Entity;
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

const form = "TYPE ID may ACTION TYPE ID {parameters}";
/** A text in double quotes as JSON writes it, or a word. */
const word = /^(?:"(?:[^"\\]|\\.)*"|[^\s{}"]+)/;

const wordsOf = (text: string, fail: () => SyntaxError): { words: string[]; rest: string } => {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== "" && !rest.startsWith("{")) {
    const found = word.exec(rest)?.[0];
    if (found === undefined) throw fail();
    try {
      words.push(found.startsWith('"') ? String(JSON.parse(found)) : found);
    } catch {
      throw fail();
    }
    rest = rest.slice(found.length).trimStart();
  }
  return { words, rest };
};

const paramsOf = (text: string, fail: () => SyntaxError): Line["params"] => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>; // it begins with a brace
  } catch {
    throw fail();
  }
};

const parseLine = (text: string, number: number): Line => {
  const fail = () => new SyntaxError(`Line ${number}: ${form} expected`);
  const { words, rest } = wordsOf(text, fail);
  const [subjectType, subject, may, action, resourceType, resource, ...more] = words;
  if (subjectType === undefined || subject === undefined || may !== "may" || more.length > 0) throw fail();
  if (action === undefined || resourceType === undefined || resource === undefined) throw fail();
  return {
    subject: { type: subjectType, id: subject },
    action,
    resource: { type: resourceType, id: resource },
    params: paramsOf(rest, fail),
  };
};

/** Empty lines and those that begin with `#` are left out. @throws SyntaxError naming the first invalid line. */
export const parseLines = (text: string): readonly Line[] =>
  text
    .split("\n")
    .map((line, at) => ({ line: line.trim(), number: at + 1 }))
    .filter(({ line }) => line !== "" && !line.startsWith("#"))
    .map(({ line, number }) => parseLine(line, number));

/** A word of a line; in quotes where it would not be read as one word, or as the word that separates. */
export const quoteWord = (text: string): string =>
  text !== "may" && text !== "not" && /^[^\s{}"#\\]+$/u.test(text) && !/[\p{Cc}\p{Cf}]/u.test(text)
    ? text
    : JSON.stringify(text);

export const lineOf = ({ subject, action, resource }: Omit<Line, "params">): string =>
  `${quoteWord(subject.type)} ${quoteWord(subject.id)} may ${quoteWord(action)} ${quoteWord(resource.type)} ${quoteWord(resource.id)}`;

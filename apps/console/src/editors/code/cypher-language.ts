import { StreamLanguage, type StringStream } from "@codemirror/language";
import { isKeyword } from "./cypher-words.ts";

/** Where the next token stands. */
interface State {
  /** What is not closed yet, innermost last. */
  open: string[];
  /** The token before, as far as the next one depends on it. */
  before: "." | ":" | "" | "comment";
}

const closing: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

const readQuoted = (stream: StringStream, quote: string): void => {
  while (!stream.eol()) {
    const character = stream.next();
    if (character === quote) return;
    if (character === "\\" && quote !== "`") stream.next();
  }
};

const readComment = (stream: StringStream, state: State): string => {
  state.before = stream.skipTo("*/") ? "" : "comment";
  if (state.before === "") stream.match("*/");
  else stream.skipToEnd();
  return "comment";
};

const readWord = (stream: StringStream, before: State["before"], inner: string | undefined): string => {
  stream.eatWhile(/[\w$]/);
  const word = stream.current();
  if (before === ".") return "propertyName";
  if (before === ":") return inner === "{" ? "atom" : "typeName";
  if (isKeyword(word)) return "keyword";
  if (stream.match(/^\s*\(/, false)) return "function(variableName)";
  return word === "subject" || word === "resource" ? "special(variableName)" : "variableName";
};

const readMark = (stream: StringStream, state: State, mark: string): string => {
  if ("([{".includes(mark)) state.open.push(mark);
  if (closing[mark] !== undefined && state.open.at(-1) === closing[mark]) state.open.pop();
  if ("()[]{}".includes(mark)) return "bracket";
  if (mark === ".") {
    state.before = stream.eat(".") ? "" : ".";
    return "punctuation";
  }
  const inner = state.open.at(-1);
  // A further type follows: `:Person|Team`, `:Person&Active`, `:!Guest`.
  if (mark === ":" || (inner !== undefined && inner !== "{" && "|&!".includes(mark))) {
    state.before = ":";
    return "punctuation";
  }
  return mark === "," ? "punctuation" : "operator";
};

const token = (stream: StringStream, state: State): string | null => {
  const { before } = state;
  if (before === "comment") return readComment(stream, state);
  if (stream.eatSpace()) return null;
  state.before = "";
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) return readComment(stream, state);
  if (stream.match(/^\$[\w.]*/)) return "special(propertyName)";
  if (stream.match(/^\d[\d_]*(\.\d+)?([eE][+-]?\d+)?/)) return "number";
  if (stream.match(/^[A-Za-z_]/)) return readWord(stream, before, state.open.at(-1));
  const mark = stream.next() ?? "";
  if (mark === "'" || mark === '"') {
    readQuoted(stream, mark);
    return "string";
  }
  if (mark === "`") {
    readQuoted(stream, mark);
    return before === ":" ? "typeName" : "variableName";
  }
  return readMark(stream, state, mark);
};

/** The colours of Cypher; errors of a text are reported by the suite. */
export const cypherLanguage = StreamLanguage.define<State>({
  name: "cypher",
  startState: () => ({ open: [], before: "" }),
  copyState: ({ open, before }) => ({ open: [...open], before }),
  token,
  languageData: { closeBrackets: { brackets: ["(", "[", "{", "'", '"'] }, commentTokens: { line: "//" } },
});

/** The colours of JSON. */
export const jsonLanguage = StreamLanguage.define<object>({
  name: "json",
  startState: () => ({}),
  token: (stream) => {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(\\.|[^"\\])*"?/)) return stream.match(/^\s*:/, false) ? "propertyName" : "string";
    if (stream.match(/^-?\d+(\.\d+)?([eE][+-]?\d+)?/)) return "number";
    if (stream.match(/^(true|false|null)\b/)) return "keyword";
    return /[[\]{}]/.test(stream.next() ?? "") ? "bracket" : null;
  },
  languageData: { closeBrackets: { brackets: ["[", "{", '"'] } },
});

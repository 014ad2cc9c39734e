import type { LabelExpression } from "../ast.ts";
import type { Reader } from "./reader.ts";

/** Words that follow `IS` in a test and are no labels there. */
const notLabels = new Set(["NULL", "NOT", "TYPED", "NORMALIZED", "NFC", "NFD", "NFKC", "NFKD"]);

/** Whether a label expression begins here, with `:` or with `IS`. */
export const isLabelStart = (reader: Reader): boolean => {
  if (reader.isMark(":")) return !reader.isMark(":", 1);
  if (!reader.isWord("IS")) return false;
  const next = reader.ahead(1);
  if (next.kind === "name") return !notLabels.has(next.word);
  return next.kind === "mark" && ["(", "!", "%", "$"].includes(next.mark);
};

/** The spellings that one expression must not mix (database facts, section 2.8). */
interface Spelling {
  colon?: number;
  barColon?: number;
  operator?: number;
}

/** Reads `:A&(B|!C)`, `:A:B`, `IS A`, and for relationships `:A|:B`. */
export const readLabel = (reader: Reader, of: "node" | "relationship"): LabelExpression => {
  const { at } = reader.token;
  reader.index += 1;
  const spelling: Spelling = {};
  const label = readOr(reader, spelling);
  const { colon, barColon, operator } = spelling;
  if (colon !== undefined && of === "relationship") {
    reader.refuse('":" does not combine relationship types; write ":A|B"', colon);
  }
  if (barColon !== undefined && of === "node")
    reader.refuse('"|:" does not combine labels; write ":A|B"', barColon);
  if ((colon !== undefined || barColon !== undefined) && operator !== undefined) {
    reader.refuse('a label expression does not mix ":" with "&", "|", "!", "%" or parentheses', at);
  }
  return label;
};

const readOr = (reader: Reader, spelling: Spelling): LabelExpression => {
  const { at } = reader.token;
  const first = readAnd(reader, spelling);
  const parts = [first];
  while (reader.isMark("|") && !reader.comprehensionBars.has(reader.index)) {
    const bar = reader.token.at;
    reader.index += 1;
    if (reader.takeMark(":")) spelling.barColon ??= bar;
    parts.push(readAnd(reader, spelling));
  }
  if (parts.length === 1) return first;
  // `A|B` of relationship types and `A|:B` are one and the same; only other operators would be a mixture.
  if (spelling.barColon === undefined) spelling.operator ??= at;
  return { kind: "label-or", parts, at };
};

const readAnd = (reader: Reader, spelling: Spelling): LabelExpression => {
  const { at } = reader.token;
  const first = readNot(reader, spelling);
  const parts = [first];
  for (;;) {
    const mark = reader.token.at;
    if (reader.takeMark("&")) spelling.operator ??= mark;
    else if (reader.isMark(":") && !reader.isMark(":", 1)) {
      spelling.colon ??= mark;
      reader.index += 1;
    } else break;
    parts.push(readNot(reader, spelling));
  }
  return parts.length === 1 ? first : { kind: "label-and", parts, at };
};

const readNot = (reader: Reader, spelling: Spelling): LabelExpression => {
  const marks: number[] = [];
  while (reader.isMark("!")) {
    marks.push(reader.token.at);
    reader.index += 1;
  }
  const first = marks[0];
  if (first !== undefined) spelling.operator ??= first;
  let label = readPrimary(reader, spelling);
  for (const at of marks.toReversed()) label = { kind: "label-not", part: label, at };
  return label;
};

const readPrimary = (reader: Reader, spelling: Spelling): LabelExpression => {
  const { token } = reader;
  const { at } = token;
  if (token.kind === "name") {
    reader.index += 1;
    return { kind: "label", name: token.name, at };
  }
  if (reader.takeMark("%")) {
    spelling.operator ??= at;
    return { kind: "label-any", at };
  }
  if (reader.takeMark("(")) {
    spelling.operator ??= at;
    const label = readOr(reader, spelling);
    reader.expectMark(")");
    return label;
  }
  if (reader.isMark("$")) reader.refuse("dynamic labels are not allowed; write the label itself");
  return reader.unexpected();
};

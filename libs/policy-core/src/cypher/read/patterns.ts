import type { LabelExpression, PathLength, NodePattern, PathPattern, RelationshipPattern } from "../ast.ts";
import { present } from "../walk.ts";
import { isRelationshipAt, readMap } from "./lists.ts";
import { type Reader, quantifiedPathRefusal, shortestPathRefusal } from "./reader.ts";

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

/** The spellings that one expression must not mix. */
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

/** Most hops that a text may state. */
export const longestPath = 20;

/** Reads `*`, `*n`, `*n..`, `*..m`, `*n..m`. */
const readLength = (reader: Reader): PathLength => {
  reader.expectMark("*");
  const min = readBound(reader);
  if (!reader.takeMark("..")) return min === undefined ? {} : { min, max: min };
  return present({ min, max: readBound(reader) });
};

const readBound = (reader: Reader): number | undefined => {
  const { token } = reader;
  if (token.kind !== "integer") return undefined;
  reader.index += 1;
  if (token.value <= BigInt(longestPath)) return Number(token.value);
  reader.note(`variable length above ${longestPath} is not allowed`, token.at);
  return longestPath;
};

/** Reads the patterns of a MATCH or of a subquery body, separated by commas. */
export const readPatterns = (reader: Reader): readonly PathPattern[] => {
  const patterns: PathPattern[] = [];
  do {
    patterns.push(readNamedPath(reader));
  } while (reader.takeMark(","));
  return patterns;
};

const readNamedPath = (reader: Reader): PathPattern => {
  const { token } = reader;
  if (token.kind !== "name") return readPath(reader);
  if (!reader.isMark("=", 1)) return refuseSelector(reader);
  reader.index += 2;
  if (reader.token.kind === "name") return refuseSelector(reader);
  return { ...readPath(reader), variable: token.name, at: token.at };
};

const refuseSelector = (reader: Reader): never => {
  const { token } = reader;
  if (token.kind === "name") {
    const call = reader.isMark("(", 1) && ["SHORTESTPATH", "ALLSHORTESTPATHS"].includes(token.word);
    if (call || ["ANY", "ALL", "SHORTEST"].includes(token.word)) return reader.refuse(shortestPathRefusal);
  }
  return reader.unexpected();
};

/** Reads node, relationship, node, … without a name of the path. */
export const readPath = (reader: Reader): PathPattern => {
  const { at } = reader.token;
  const elements: (NodePattern | RelationshipPattern)[] = [readNode(reader)];
  while (isRelationshipAt(reader, reader.index)) {
    elements.push(readRelationship(reader));
    if (reader.isMark("+") || reader.isMark("*") || reader.isMark("{")) reader.refuse(quantifiedPathRefusal);
    elements.push(readNode(reader));
  }
  return { kind: "path", elements, at };
};

const readNode = (reader: Reader): NodePattern => {
  const { at } = reader.expectMark("(");
  // A parenthesis inside begins a quantified group, `((a)-->(b)){1,3}`.
  const named = reader.token.kind === "name" && reader.isMark("=", 1);
  if (reader.isMark("(") || named) reader.refuse(quantifiedPathRefusal, at);
  const variable = readVariable(reader);
  const label = isLabelStart(reader) ? readLabel(reader, "node") : undefined;
  const properties = readProperties(reader);
  const where = reader.takeWord("WHERE") ? reader.rules.expression(reader) : undefined;
  reader.expectMark(")");
  return { kind: "node", ...present({ variable, label, properties, where }), at };
};

const readRelationship = (reader: Reader): RelationshipPattern => {
  const { at } = reader.token;
  const left = reader.takeMark("<");
  reader.expectMark("-");
  const details = reader.takeMark("[") ? readDetails(reader) : {};
  reader.expectMark("-");
  const right = reader.takeMark(">");
  const direction = left === right ? "both" : left ? "in" : "out";
  return { kind: "relationship", direction, ...details, at };
};

type Details = Omit<RelationshipPattern, "kind" | "direction" | "at">;

const readDetails = (reader: Reader): Details => {
  const variable = readVariable(reader);
  const label = isLabelStart(reader) ? readLabel(reader, "relationship") : undefined;
  const length = reader.isMark("*") ? readLength(reader) : undefined;
  const properties = readProperties(reader);
  const whereAt = reader.token.at;
  const where = reader.takeWord("WHERE") ? reader.rules.expression(reader) : undefined;
  if (where !== undefined && length !== undefined) {
    reader.note(
      "WHERE inside a relationship of variable length is not allowed; use all(r IN rels WHERE …)",
      whereAt,
    );
  }
  reader.expectMark("]");
  return present({ variable, label, length, properties, where });
};

/** The keyword wins over a variable called `where`, except where nothing that is a condition follows. */
const readVariable = (reader: Reader): string | undefined => {
  const { token } = reader;
  if (token.kind !== "name") return undefined;
  if (token.word === "IS" && isLabelStart(reader) && !reader.isWord("IS", 1)) return undefined;
  if (token.word === "WHERE" && !isNamedWhere(reader)) return undefined;
  reader.index += 1;
  return token.name;
};

const isNamedWhere = (reader: Reader): boolean =>
  reader.isMark(")", 1) || reader.isMark("]", 1) || reader.isMark(":", 1) || reader.isWord("WHERE", 1);

const readProperties = (reader: Reader): NodePattern["properties"] => {
  if (reader.isMark("$")) reader.refuse("properties of a pattern are written out, {key: value}");
  return reader.isMark("{") ? readMap(reader) : undefined;
};

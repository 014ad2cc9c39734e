import { quantifiedPathRefusal, shortestPathRefusal } from "./refusals.ts";
import { isLabelStart, readLabel } from "./labels.ts";
import { isRelationshipAt } from "./pattern-shape.ts";
import { present } from "../present.ts";
import { readMap } from "./maps.ts";
import type { NodePattern, PathPattern, RelationshipPattern } from "../ast.ts";
import { readLength } from "./path-length.ts";
import type { Reader } from "./reader.ts";

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

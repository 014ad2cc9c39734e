import type {
  MapEntry,
  MapLiteral,
  Expression,
  ListLiteral,
  PathPattern,
  PatternComprehension,
  Quantifier,
} from "../ast.ts";
import type { Token } from "../lex/token.ts";
import { present } from "../walk.ts";
import type { Reader } from "./reader.ts";

/**
 * Tells `(a)-->(b)` the pattern from `(a) - (b)` the arithmetic, as the database does: by what
 * follows the closing parenthesis. Partners of brackets are known, so each answer costs the same.
 */
export const isPatternAt = (reader: Reader, index: number): boolean => {
  const open = reader.tokenAt(index);
  return isMark(open, "(") && isNodeInside(reader, index) && isRelationshipAt(reader, partnerOf(open) + 1);
};

/** Whether `-[…]->(`, `<--(`, `--(` and the like begin at this token. */
export const isRelationshipAt = (reader: Reader, index: number): boolean => {
  let at = index;
  if (isMark(reader.tokenAt(at), "<")) at += 1;
  if (!isMark(reader.tokenAt(at), "-")) return false;
  at += 1;
  const details = reader.tokenAt(at);
  if (isMark(details, "[")) {
    if (!isElementInside(reader, at, "*")) return false;
    at = partnerOf(details) + 1;
  }
  if (!isMark(reader.tokenAt(at), "-")) return false;
  at += 1;
  if (!isMark(reader.tokenAt(at), ">")) return isMark(reader.tokenAt(at), "(");
  // An arrow head settles it: what follows is a node, or a quantifier that is refused by name.
  return true;
};

const isNodeInside = (reader: Reader, open: number): boolean => isElementInside(reader, open, undefined);

/** Whether a bracket begins like a node or, with `*` possible, like the details of a relationship. */
const isElementInside = (reader: Reader, open: number, star: "*" | undefined): boolean => {
  const first = reader.tokenAt(open + 1);
  const rest = first.kind === "name" && first.word !== "WHERE" ? reader.tokenAt(open + 2) : first;
  if (rest.kind === "name") return rest.word === "WHERE" || rest.word === "IS";
  if (rest.kind !== "mark") return false;
  return ["}", ")", "]", ":", "{", "$"].includes(rest.mark) || rest.mark === star;
};

const isMark = (token: Token, mark: string): boolean => token.kind === "mark" && token.mark === mark;

const partnerOf = (token: Token): number => (token.kind === "mark" ? token.partner : -1);

/** Reads `{key: value, …}`. */
export const readMap = (reader: Reader): MapLiteral => {
  const { at } = reader.expectMark("{");
  const entries: MapEntry[] = [];
  if (!reader.isMark("}")) {
    do {
      const key = reader.expectName();
      reader.expectMark(":");
      entries.push({ kind: "entry", key: key.name, value: reader.rules.expression(reader), at: key.at });
    } while (reader.takeMark(","));
  }
  reader.expectMark("}");
  return { kind: "map", entries, at };
};

/** Reads what `[` begins where an operand stands: a list comprehension, a pattern comprehension or a list. */
export const readBracketed = (reader: Reader): Expression => {
  const { comma, bars, where } = separators(reader);
  if (!comma && reader.ahead(1).kind === "name" && reader.isWord("IN", 2))
    return readListComprehension(reader, bars, where);
  if (!comma && bars.length > 0) {
    const named = reader.ahead(1).kind === "name" && reader.isMark("=", 2);
    if (isPatternAt(reader, reader.index + (named ? 3 : 1)))
      return readPatternComprehension(reader, bars, named);
  }
  return readList(reader);
};

/** What a bracket itself holds. */
interface Separators {
  readonly comma: boolean;
  readonly bars: readonly number[];
  /** Index of its WHERE. */
  readonly where: number | undefined;
}

/**
 * The commas, bars and WHERE of a bracket itself; what is in brackets or in a CASE inside it is left out. Each token
 * belongs to one bracket only, so all these looks together cost no more than one reading of the text.
 */
const separators = (reader: Reader): Separators => {
  const open = reader.token;
  const end = open.kind === "mark" ? open.partner : reader.index;
  const bars: number[] = [];
  let comma = false;
  let where: number | undefined;
  let cases = 0;
  for (let index = reader.index + 1; index < end; index += 1) {
    const token = reader.tokenAt(index);
    if (token.kind === "name") {
      cases = Math.max(0, cases + caseStep(reader, index, token.word));
      if (where === undefined && cases === 0 && isWhere(reader, index)) where = index;
    } else if (token.kind === "mark") {
      if (token.partner > index) index = token.partner;
      else if (cases === 0 && token.mark === ",") comma = true;
      else if (cases === 0 && token.mark === "|") bars.push(index);
    }
  }
  return { comma, bars, where };
};

/** The keyword, and not a key, a label, a parameter or, after IN, a variable of that name. */
const isWhere = (reader: Reader, index: number): boolean => {
  const token = reader.tokenAt(index);
  const before = reader.tokenAt(index - 1);
  if (token.kind !== "name" || token.word !== "WHERE") return false;
  return before.kind === "mark" ? [")", "]", "}", "%"].includes(before.mark) : !isIn(before);
};

const isIn = (token: Token): boolean => token.kind === "name" && token.word === "IN";

/** 1 where a CASE begins, -1 where one ends; keys, labels and parameters of these names are none. */
const caseStep = (reader: Reader, index: number, word: string): number => {
  if (word !== "CASE" && word !== "END") return 0;
  const before = reader.tokenAt(index - 1);
  if (before.kind === "mark" && [".", ":", "&", "!", "$"].includes(before.mark)) return 0;
  return word === "CASE" ? 1 : -1;
};

const readListComprehension = (
  reader: Reader,
  bars: readonly number[],
  whereAt: number | undefined,
): Expression => {
  const { at } = reader.expectMark("[");
  const variable = reader.expectName().name;
  reader.expectWord("IN");
  // Without a WHERE the first bar begins the result, behind one the last: `[n IN l WHERE n:A|B | n.x]`.
  const first = whereAt === undefined ? bars[0] : undefined;
  const last = bars.at(-1);
  if (first !== undefined) reader.comprehensionBars.add(first);
  const list = reader.rules.expression(reader);
  if (first !== undefined) reader.comprehensionBars.delete(first);
  if (last !== undefined) reader.comprehensionBars.add(last);
  const where = reader.takeWord("WHERE") ? reader.perElement() : undefined;
  if (last !== undefined) reader.comprehensionBars.delete(last);
  const result = reader.takeMark("|") ? reader.perElement() : undefined;
  reader.expectMark("]");
  return { kind: "list-comprehension", variable, list, ...present({ where, result }), at };
};

const readPatternComprehension = (
  reader: Reader,
  bars: readonly number[],
  named: boolean,
): PatternComprehension => {
  const { at } = reader.expectMark("[");
  const variable = reader.token;
  if (named) reader.index += 2;
  const path = reader.rules.path(reader);
  const pattern: PathPattern =
    named && variable.kind === "name" ? { ...path, variable: variable.name, at: variable.at } : path;
  const last = bars.at(-1);
  if (last !== undefined) reader.comprehensionBars.add(last);
  const where = reader.takeWord("WHERE") ? reader.perElement() : undefined;
  if (last !== undefined) reader.comprehensionBars.delete(last);
  reader.expectMark("|");
  const result = reader.perElement();
  reader.expectMark("]");
  return { kind: "pattern-comprehension", pattern, ...present({ where }), result, at };
};

const readList = (reader: Reader): ListLiteral => {
  const { at } = reader.expectMark("[");
  const items: Expression[] = [];
  if (!reader.isMark("]")) {
    do {
      items.push(reader.rules.expression(reader));
    } while (reader.takeMark(","));
  }
  reader.expectMark("]");
  return { kind: "list", items, at };
};

const quantifiers = new Map<string, Quantifier["quantifier"]>([
  ["ALL", "all"],
  ["ANY", "any"],
  ["NONE", "none"],
  ["SINGLE", "single"],
]);

/** Whether `all(x IN …`, its kin or `reduce(…` begin here: functions with a syntax of their own. */
export const isFoldAt = (reader: Reader): boolean => {
  const { token } = reader;
  if (token.kind !== "name" || !reader.isMark("(", 1)) return false;
  return token.word === "REDUCE" || quantifiers.has(token.word);
};

/** Reads `all(x IN list WHERE p)` and `reduce(a = 0, x IN list | a + x)`. */
export const readFold = (reader: Reader): Expression => {
  const { name, word, at } = reader.expectName();
  reader.expectMark("(");
  const quantifier = quantifiers.get(word);
  const fold =
    quantifier === undefined ? readReduce(reader, at) : readQuantifier(reader, quantifier, name, at);
  reader.expectMark(")");
  return fold;
};

const readQuantifier = (
  reader: Reader,
  quantifier: Quantifier["quantifier"],
  name: string,
  at: number,
): Expression => {
  const variable = reader.expectName().name;
  reader.expectWord("IN");
  const list = reader.rules.expression(reader);
  if (!reader.takeWord("WHERE")) reader.refuse(`${name}(…) needs WHERE`);
  return { kind: "quantifier", quantifier, variable, list, where: reader.perElement(), at };
};

const readReduce = (reader: Reader, at: number): Expression => {
  const accumulator = reader.expectName().name;
  reader.expectMark("=");
  const initial = reader.rules.expression(reader);
  reader.expectMark(",");
  const variable = reader.expectName().name;
  reader.expectWord("IN");
  const list = reader.rules.expression(reader);
  reader.expectMark("|");
  const result = reader.perElement();
  return { kind: "reduce", accumulator, initial, variable, list, result, at };
};

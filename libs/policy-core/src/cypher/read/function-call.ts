import { shortestPathRefusal } from "./refusals.ts";
import { functions } from "../functions.ts";
import type { Signature } from "../functions.ts";
import type { Expression, FunctionCall } from "../ast.ts";
import type { Reader } from "./reader.ts";

const shortestPaths = new Set(["shortestpath", "allshortestpaths"]);

/** Whether a name, dotted perhaps, and an opening parenthesis begin here. */
export const isFunctionAt = (reader: Reader): boolean => reader.isMark("(", nameTokens(reader));

/** How many tokens the dotted name here has. */
const nameTokens = (reader: Reader): number => {
  let count = 1;
  while (reader.isMark(".", count) && reader.ahead(count + 1).kind === "name") count += 2;
  return count;
};

/** Reads a call of an allowed function; an unknown one and a wrong number of arguments are noted. */
export const readFunction = (reader: Reader): Expression => {
  const { at } = reader.token;
  const parts = [reader.expectName().name];
  while (reader.takeMark(".")) parts.push(reader.expectName().name);
  const written = parts.join(".");
  const name = written.toLowerCase();
  const signature = functions.get(name);
  if (shortestPaths.has(name)) reader.refuse(shortestPathRefusal, at);
  if (signature === undefined) reader.note(`function ${written} is not allowed`, at);
  else if (signature.aggregate && !reader.aggregates) {
    reader.note(`aggregating function ${written} is not allowed here`, at);
  }

  reader.expectMark("(");
  if (name === "count" && reader.takeMark("*")) {
    reader.expectMark(")");
    return { kind: "function", name, distinct: false, star: true, args: [], at };
  }
  const distinct = takeDistinct(reader);
  const args = readArguments(reader, signature);
  if (signature !== undefined) checkCall(reader, written, signature, { distinct, args, at });
  return { kind: "function", name, distinct, star: false, args, at };
};

/** The keyword, and not a variable of that name. */
const takeDistinct = (reader: Reader): boolean => {
  const next = reader.ahead(1);
  const plain = next.kind === "mark" && [")", ",", "."].includes(next.mark);
  return !plain && reader.takeWord("DISTINCT");
};

const readArguments = (reader: Reader, signature: Signature | undefined): readonly Expression[] => {
  const args: Expression[] = [];
  const { aggregates } = reader;
  if (signature?.aggregate === true) reader.aggregates = false;
  if (!reader.isMark(")")) {
    do {
      args.push(reader.rules.expression(reader));
    } while (reader.takeMark(","));
  }
  reader.aggregates = aggregates;
  reader.expectMark(")");
  return args;
};

const checkCall = (
  reader: Reader,
  written: string,
  signature: Signature,
  { distinct, args, at }: Pick<FunctionCall, "distinct" | "args" | "at">,
): void => {
  if (distinct && !signature.aggregate) reader.note(`function ${written} does not take DISTINCT`, at);
  if (args.length < signature.least || args.length > signature.most) {
    reader.note(`function ${written} takes ${arity(signature)}, not ${args.length}`, at);
  }
};

const arity = ({ least, most }: Signature): string => {
  if (most === Infinity) return `at least ${least} argument${least === 1 ? "" : "s"}`;
  return least === most ? `${least} argument${least === 1 ? "" : "s"}` : `${least} to ${most} arguments`;
};

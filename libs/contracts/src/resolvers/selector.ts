import parse, { type JsonPathQuery } from "jsonpath-rfc9535/parser";
import { jsonPathOf } from "./jq-path.ts";
import { type Parsed, parseFailure, parseSuccess } from "./placeholder.ts";

/** What a resolver takes from an answer. */
export interface Selector {
  /** JSONPath (RFC 9535). */
  readonly query: string;
  /** Names and indexes of a query that finds at most one value; undefined for every other. */
  readonly steps: readonly (string | number)[] | undefined;
}

type Segment = JsonPathQuery["segments"][number];

/** Any part of a query. */
interface Part {
  readonly type: string;
  readonly [member: string]: unknown;
}

const isPart = (value: unknown): value is Part =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const partsIn = (part: Part): readonly Part[] => Object.values(part).flat().filter(isPart);

const stepOf = ({ type, node }: Segment): string | number | undefined => {
  if (type !== "ChildSegment") return undefined;
  if (node.type === "MemberNameShorthand") return node.value;
  if (node.type !== "BracketedSelection" || node.selectors.length !== 1) return undefined;
  const [only] = node.selectors;
  return only?.type === "NameSelector" || only?.type === "IndexSelector" ? only.value : undefined;
};

const stepsOf = (segments: readonly Segment[]): Selector["steps"] => {
  const steps = segments.map(stepOf);
  return steps.every((step) => step !== undefined) ? steps : undefined;
};

/** Functions that a filter may call. Those that take regular expressions are not among them. */
const functions: ReadonlyMap<string, "nodes" | "value"> = new Map([
  ["count", "nodes"],
  ["value", "nodes"],
  ["length", "value"],
]);

/** Why an argument does not fit its function (RFC 9535, section 2.4.3). */
const argumentFits = (argument: Part, expected: "nodes" | "value"): boolean => {
  if (argument.type === "Literal" || argument.type === "FunctionExpr") return expected === "value";
  if (argument.type !== "FilterQuery" || !isPart(argument["value"])) return false;
  // A query, as the parser gives it.
  const segments = argument["value"]["segments"] as readonly Segment[];
  return expected === "nodes" || stepsOf(segments) !== undefined;
};

const callFault = ({ name, arguments: given }: Part): string | undefined => {
  const expected = functions.get(String(name));
  if (expected === undefined) return `functions are ${[...functions.keys()].join(", ")}`;
  const [only, ...more] = given as readonly Part[]; // as the parser gives it
  const fits = only !== undefined && more.length === 0 && argumentFits(only, expected);
  return fits ? undefined : `${String(name)}() takes one ${expected === "nodes" ? "query" : "value"}`;
};

/** What the grammar lets pass and the standard, or this product, does not. */
const faultIn = (part: Part): string | undefined => {
  if (part.type === "FunctionExpr") {
    const fault = callFault(part);
    if (fault !== undefined) return fault;
  }
  if (part.type === "TestExpr" && isPart(part["expression"]) && part["expression"].type === "FunctionExpr") {
    return callFault(part["expression"]) ?? "what a function gives must be compared";
  }
  const numbers = Object.values(part).filter((value) => typeof value === "number");
  if (part.type !== "Literal" && !numbers.every(Number.isSafeInteger)) return "an index is too large";
  for (const inner of partsIn(part)) {
    const fault = faultIn(inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** Calls within calls that a filter may hold. The parser takes three times as long for each more. */
const maxCalls = 4;

/** True when functions are called deeper in each other than that. */
const isCalledTooDeep = (query: string): boolean => {
  const open: boolean[] = [];
  // Quoted names and texts first, so that nothing in them counts.
  for (const [token] of query.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[a-z0-9_]*\(|\)/g)) {
    if (token.endsWith("(")) open.push(token !== "(");
    else if (token === ")") open.pop();
    if (open.filter(Boolean).length > maxCalls) return true;
  }
  return false;
};

/** Reads a selector: JSONPath when it begins with `$`, a jq-like path when it begins with a dot. */
export const parseSelector = (text: string): Parsed<Selector> => {
  if (!/^[$.]/.test(text)) return parseFailure("JSONPath ($…) or a path like .a.b[0] expected");
  const query = text.startsWith(".") ? jsonPathOf(text) : parseSuccess(text);
  if (!query.ok) return query;
  if (isCalledTooDeep(query.value)) return parseFailure(`functions at most ${maxCalls} deep`);
  let tree: JsonPathQuery;
  try {
    tree = parse(query.value);
  } catch {
    return parseFailure("not JSONPath as in RFC 9535");
  }
  const fault = faultIn({ ...tree });
  return fault === undefined
    ? parseSuccess({ query: query.value, steps: stepsOf(tree.segments) })
    : parseFailure(fault);
};

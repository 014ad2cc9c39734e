import type { Query } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import type { Policy } from "../policy/compile.ts";
import { Spans } from "./spans.ts";
import { locatePart, type Part, partsOfQuery } from "./query-parts.ts";

/** Where each name of a node is written first. */
const firstMentions = (query: Query): ReadonlyMap<string, number> => {
  const first = new Map<string, number>();
  for (const each of nodesOf(query)) {
    if (each.kind !== "node" || each.variable === undefined) continue;
    first.set(each.variable, Math.min(each.at, first.get(each.variable) ?? Infinity));
  }
  return first;
};

/**
 * The parts of a policy's pattern that an explanation can name as the first after which nothing is left, in that
 * order. Where a node is an end of the question it is there, or the explanation says that it is missing; a name alone,
 * `(reel)`, takes nothing away where the node is bound before.
 */
export const patternParts = (policy: Policy): readonly Part[] => {
  const { text, query, analysis } = policy.condition;
  const ends: readonly (string | undefined)[] =
    policy.kind === "kbac" ? ["subject", "resource"] : ["subject"];
  const spans = new Spans(text);
  const first = firstMentions(query);
  return partsOfQuery(query, analysis.report).flatMap((part) => {
    const { kind, node, span } = part;
    if (node !== undefined && ends.includes(node)) return [];
    const { at, end } = span(spans);
    const isBare = kind === "node" && /^\(\s*\w+\s*\)$/.test(text.slice(at, end));
    return isBare && node !== undefined && (first.get(node) ?? at) < at
      ? []
      : [locatePart(part, text, spans)];
  });
};

import type { Node, UnusedReturn } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import type { AnalysisReport, Scope } from "./scope.ts";

/** Names that loops, patterns and subqueries inside of an expression declare, and those of AS. */
const declaredBy = (node: Node): readonly (string | undefined)[] => {
  switch (node.kind) {
    case "list-comprehension":
    case "quantifier":
    case "node":
    case "relationship":
    case "path":
      return [node.variable];
    case "reduce":
      return [node.accumulator, node.variable];
    case "item":
    case "unwind":
      return [node.alias];
    default:
      return [];
  }
};

/**
 * Refuses names that are not bound where an unused RETURN stands, since they are mistakes of the author. A name that
 * something inside of the RETURN declares counts as bound in all of it. Uses no recursion: the depth is not limited here.
 */
export const checkUnusedReturn = (
  { items, orderBy }: UnusedReturn,
  scope: Scope,
  report: AnalysisReport,
): void => {
  const nodes = [...items, ...orderBy].flatMap((part) => [...nodesOf(part)]);
  const declared = new Set(nodes.flatMap(declaredBy));
  for (const node of nodes) {
    if (node.kind !== "variable" || declared.has(node.name)) continue;
    if (scope.get(node.name) === undefined) report.fault(node.at, `"${node.name}" is not bound`);
  }
};

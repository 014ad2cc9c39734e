import type { Node, ProjectionItem, Query } from "./ast.ts";
import { nodesOf } from "./walk.ts";

/** The name that an item of a WITH or RETURN binds; undefined for an expression without AS. */
export const itemName = ({ alias, expression }: ProjectionItem): string | undefined =>
  alias ?? (expression.kind === "variable" ? expression.name : undefined);

/** Every name that a text declares, those that a WITH drops again included. */
export const declaredNames = (query: Query): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of nodesOf(query)) {
    if (node.kind === "node" || node.kind === "relationship" || node.kind === "path") {
      if (node.variable !== undefined) names.add(node.variable);
    } else if ((node.kind === "item" || node.kind === "unwind") && node.alias !== undefined) {
      names.add(node.alias);
    }
  }
  return names;
};

/** Every name that a part of a text uses, those of patterns and loops inside it included. */
export const usedNames = (root: Node): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.kind === "variable") names.add(node.name);
    else if ((node.kind === "node" || node.kind === "relationship") && node.variable !== undefined)
      names.add(node.variable);
  }
  return names;
};

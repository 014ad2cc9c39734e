import type { Node } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";

/** Every name that a part of a text mentions, those of patterns and loops inside it included. */
export const namesIn = (root: Node): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.kind === "variable") names.add(node.name);
    else if ((node.kind === "node" || node.kind === "relationship") && node.variable !== undefined)
      names.add(node.variable);
  }
  return names;
};

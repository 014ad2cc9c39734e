import type { GraphNode, GraphRelationship } from "@ikg/client";
import { openIkg } from "./clients.ts";
import type { Target } from "./settings.ts";

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

/** Writes the graph of a measurement: nodes, then relationships. */
export const captureGraph = async (
  target: Target,
  clientKey: string,
  { nodes, relationships }: Graph,
): Promise<void> => {
  const { capture } = openIkg(target, clientKey);
  await capture.nodes(nodes);
  await capture.relationships(relationships);
};

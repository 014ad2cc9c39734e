import type { GraphNode, GraphRelationship } from "@ikg/client";
import { openIkg } from "./clients.ts";
import type { Credentials } from "./data-plane.ts";

export type { GraphNode, GraphRelationship, NodeRef } from "@ikg/client";

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

/** Writes a graph of any size: nodes, then relationships. */
export const capture = async (
  { nodes, relationships = [] }: Pick<Graph, "nodes"> & Partial<Graph>,
  by: Pick<Credentials, "key">,
): Promise<void> => {
  const ikg = openIkg(by);
  await ikg.capture.nodes(nodes);
  await ikg.capture.relationships(relationships);
};

import { type GraphNode, type GraphRelationship, Ikg } from "@ikg/client";
import type { Target } from "./settings.ts";

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

/** A suite that has just started may be busy for a while. */
const timeoutMs = 60_000;

/** Writes the graph of a measurement: nodes, then relationships. */
export const captureGraph = async (
  { gateway }: Target,
  clientKey: string,
  { nodes, relationships }: Graph,
): Promise<void> => {
  const { capture } = new Ikg({ baseUrl: gateway, clientKey, timeoutMs });
  await capture.nodes(nodes);
  await capture.relationships(relationships);
};

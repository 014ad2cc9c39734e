import { type GraphNode, type GraphRelationship, Ikg } from "@ikg/client";
import type { Credentials } from "./data-plane.ts";
import { environment } from "./environment.ts";
import { answerWithinMs } from "./send.ts";

export type { GraphNode, GraphRelationship, NodeRef } from "@ikg/client";

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

/** Writes a graph of any size: nodes, then relationships. */
export const capture = async ({ nodes, relationships }: Graph, { key }: Credentials): Promise<void> => {
  const ikg = new Ikg({ baseUrl: environment().base_url, clientKey: key, timeoutMs: answerWithinMs });
  await ikg.capture.nodes(nodes);
  await ikg.capture.relationships(relationships);
};

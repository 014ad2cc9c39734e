import type { CaptureResults, Value } from "@ikg/contracts";
import { type Credentials, withKey } from "./data-plane.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";

export interface NodeRef {
  readonly type: string;
  readonly external_id: string;
}

export interface GraphNode extends NodeRef {
  readonly is_identity?: boolean;
  readonly labels?: readonly string[];
  readonly properties?: readonly {
    readonly type: string;
    readonly value?: Value;
    readonly metadata?: object;
  }[];
}

export interface GraphRelationship {
  readonly source: NodeRef;
  readonly target: NodeRef;
  readonly type: string;
  readonly properties?: readonly { readonly type: string; readonly value: Value }[];
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
}

/** Items of one capture request at most. */
const batchSize = 250;

const inBatches = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, at) =>
    items.slice(at * batchSize, (at + 1) * batchSize),
  );

const captureAll = async (
  collection: "nodes" | "relationships",
  items: readonly unknown[],
  by: Credentials,
): Promise<void> => {
  for (const batch of inBatches(items)) {
    const { results } = must<CaptureResults>(
      await retryUnavailable(() =>
        withKey(`/capture/v1/${collection}`, by, { json: { [collection]: batch } }),
      ),
      200,
    );
    if (results.length !== batch.length)
      throw new Error(`${batch.length} results expected, ${results.length} came`);
  }
};

/** Writes a graph in batches of 250: nodes, then relationships. */
export const capture = async ({ nodes, relationships }: Graph, by: Credentials): Promise<void> => {
  await captureAll("nodes", nodes, by);
  await captureAll("relationships", relationships, by);
};

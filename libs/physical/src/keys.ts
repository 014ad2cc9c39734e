import type { ProjectKey } from "./project-key.ts";

/** The unique key of a node: `<pk>/<type>/<external_id>`. A type never holds `/`, so nothing needs an escape. */
export const nodeKey = (pk: ProjectKey, type: string, externalId: string): string =>
  `${keyPrefix(pk, type)}${externalId}`;

/** What the keys of all nodes of one type begin with. */
export const keyPrefix = (pk: ProjectKey, type: string): string => `${pk}/${type}/`;

/** The key of the `_TrustScore` node of a scored node. */
export const trustScoreKey = (pk: ProjectKey, scoredNodeId: string): string =>
  nodeKey(pk, "_TrustScore", scoredNodeId);

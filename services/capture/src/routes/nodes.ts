import {
  captureLimits,
  DeleteMetadataRequest,
  DeleteNodePropertiesRequest,
  DeleteNodesRequest,
  type Gid,
  PutNodeRequest,
  UpsertNodesRequest,
} from "@ikg/contracts";
import { type Route, route, withConsistency } from "@ikg/service";
import type { CaptureParts } from "../batches/verb.ts";
import { deleteMetadata } from "../nodes/delete-metadata.ts";
import { deleteNodes } from "../nodes/delete-nodes.ts";
import { deleteProperties } from "../nodes/delete-properties.ts";
import { putNode } from "../nodes/put-node.ts";
import { upsertNodes } from "../nodes/upsert-nodes.ts";
import { batch } from "./batch.ts";
import { nodesNote, oneNodeNote } from "./capture-note.ts";

/** PUT of one node, by gid or by `<Type>:<external_id>`. */
const put = (parts: CaptureParts): Route =>
  route({
    operation: "put_node",
    method: "put",
    path: "/capture/v1/nodes/:id",
    caller: "agent",
    permission: "Capture",
    request: PutNodeRequest,
    bodyLimit: captureLimits.bodyBytes,
    handle: ({ body, caller: { project }, params, requestId, signal, note }) => {
      const { id = "" } = params;
      note(() => oneNodeNote(project, id, body));
      return withConsistency(parts.tokens, project, (onCommit) =>
        putNode(parts, id)(project, body, { requestId, signal, onCommit }),
      );
    },
  });

const noteOf =
  (type: Parameters<typeof nodesNote>[0]) =>
  (project: Gid, { nodes }: { readonly nodes: Parameters<typeof nodesNote>[2] }) =>
    nodesNote(type, project, nodes);

/** Endpoints of nodes. PUT of a batch is the same as POST. */
export const nodeRoutes = (parts: CaptureParts): readonly Route[] => {
  const upserted = noteOf("audit.capture.upsert.node");
  return [
    batch(parts, "upsert_nodes", "post", "/nodes", UpsertNodesRequest, upsertNodes(parts), upserted),
    batch(parts, "upsert_nodes", "put", "/nodes", UpsertNodesRequest, upsertNodes(parts), upserted),
    batch(
      parts,
      "delete_nodes",
      "post",
      "/nodes/delete",
      DeleteNodesRequest,
      deleteNodes(parts),
      noteOf("audit.capture.delete.node"),
    ),
    batch(
      parts,
      "delete_node_properties",
      "post",
      "/nodes/properties/delete",
      DeleteNodePropertiesRequest,
      deleteProperties(parts),
      noteOf("audit.capture.delete.node.property"),
    ),
    batch(
      parts,
      "delete_node_metadata",
      "post",
      "/nodes/properties/metadata/delete",
      DeleteMetadataRequest,
      deleteMetadata(parts),
      noteOf("audit.capture.delete.node.property.metadata"),
    ),
    put(parts),
  ];
};

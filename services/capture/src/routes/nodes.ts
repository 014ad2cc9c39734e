import {
  captureLimits,
  DeleteMetadataRequest,
  DeleteNodePropertiesRequest,
  DeleteNodesRequest,
  PutNodeRequest,
  UpsertNodesRequest,
} from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { CaptureParts } from "../capture.ts";
import { deleteMetadata } from "../nodes/delete-metadata.ts";
import { deleteNodes } from "../nodes/delete-nodes.ts";
import { deleteProperties } from "../nodes/delete-properties.ts";
import { putNode } from "../nodes/put-node.ts";
import { upsertNodes } from "../nodes/upsert-nodes.ts";
import { batch } from "./batch.ts";

/** PUT of one node, by gid or by `<Type>:<external_id>` (api specification 4.3). */
const put = (parts: CaptureParts): Route =>
  route({
    operation: "put_node",
    method: "put",
    path: "/capture/v1/nodes/:id",
    caller: "agent",
    permission: "Capture",
    request: PutNodeRequest,
    bodyLimit: captureLimits.bodyBytes,
    handle: ({ body, caller, params, requestId, signal }) =>
      putNode(parts, params["id"] ?? "")(caller.project, body, { requestId, signal }),
  });

/** Endpoints of nodes. PUT of a batch is the same as POST (api specification 4.2). */
export const nodeRoutes = (parts: CaptureParts): readonly Route[] => [
  batch("upsert_nodes", "post", "/nodes", UpsertNodesRequest, upsertNodes(parts)),
  batch("upsert_nodes", "put", "/nodes", UpsertNodesRequest, upsertNodes(parts)),
  batch("delete_nodes", "post", "/nodes/delete", DeleteNodesRequest, deleteNodes(parts)),
  batch(
    "delete_node_properties",
    "post",
    "/nodes/properties/delete",
    DeleteNodePropertiesRequest,
    deleteProperties(parts),
  ),
  batch(
    "delete_node_metadata",
    "post",
    "/nodes/properties/metadata/delete",
    DeleteMetadataRequest,
    deleteMetadata(parts),
  ),
  put(parts),
];

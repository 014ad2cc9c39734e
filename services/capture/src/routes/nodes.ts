import { captureLimits, UpsertNodesRequest } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { NodeWriter } from "../nodes/upsert-nodes.ts";

/** POST /capture/v1/nodes: creates or updates nodes. PUT is the same (api specification 4.2). */
export const upsertNodes = (writer: NodeWriter): Route[] =>
  (["post", "put"] as const).map((method) =>
    route({
      operation: "upsert_nodes",
      method,
      path: "/capture/v1/nodes",
      caller: "agent",
      permission: "Capture",
      request: UpsertNodesRequest,
      bodyLimit: captureLimits.bodyBytes,
      handle: ({ body, caller, requestId, signal }) =>
        writer.upsert(caller.project, body, { requestId, signal }),
    }),
  );

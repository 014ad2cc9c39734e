import { captureLimits, UpsertRelationshipsRequest } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { RelationshipWriter } from "../relationships/upsert-relationships.ts";

/** POST /capture/v1/relationships: creates or updates relationships (api specification 4.4). */
export const upsertRelationships = (writer: RelationshipWriter): Route =>
  route({
    operation: "upsert_relationships",
    method: "post",
    path: "/capture/v1/relationships",
    caller: "agent",
    permission: "Capture",
    request: UpsertRelationshipsRequest,
    bodyLimit: captureLimits.bodyBytes,
    handle: ({ body, caller, requestId, signal }) =>
      writer.upsert(caller.project, body, { requestId, signal }),
  });

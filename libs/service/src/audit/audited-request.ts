import type { IncomingMessage } from "node:http";
import type { AuditedRequest } from "@ikg/audit";
import type { RequestContext } from "../http/request-context.ts";
import { loggedRequestId } from "../http/request-id.ts";

/**
 * What records say of a request.
 *
 * @param ip address that called the gateway: of its own socket, or as its signed context says it. Never of a header that
 *   any caller may send.
 */
export const auditedRequest = (
  request: Pick<IncomingMessage, "method">,
  { requestId, route }: Pick<RequestContext, "requestId" | "route">,
  ip: string | undefined,
): AuditedRequest => ({
  id: loggedRequestId(requestId),
  method: request.method ?? "",
  path: route,
  ...(ip === undefined ? {} : { ip }),
});

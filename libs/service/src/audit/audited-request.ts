import type { IncomingMessage } from "node:http";
import type { AuditedRequest } from "@ikg/audit";
import { clientAddressHeader } from "@ikg/auth";
import type { Exchange } from "../exchange.ts";
import { loggedRequestId } from "../request-id.ts";

/** The caller's address as the gateway said it; absent in calls that did not come through it. */
const addressOf = ({ headers }: Pick<IncomingMessage, "headers">): string | undefined => {
  const said = headers[clientAddressHeader];
  return typeof said === "string" ? said : undefined;
};

/**
 * What records say of a request.
 *
 * @param ip where the process knows the caller's address itself.
 */
export const auditedRequest = (
  request: Pick<IncomingMessage, "headers" | "method">,
  { requestId, route }: Pick<Exchange, "requestId" | "route">,
  ip: string | undefined = addressOf(request),
): AuditedRequest => ({
  id: loggedRequestId(requestId),
  method: request.method ?? "",
  path: route,
  ...(ip === undefined ? {} : { ip }),
});

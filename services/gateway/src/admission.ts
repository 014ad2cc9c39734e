import type { IncomingMessage } from "node:http";
import { bearerOf, type Credentials } from "@ikg/auth";
import { type Caller, type Operation, Problem } from "@ikg/contracts";
import type { RateLimits } from "./rate-limit.ts";

const keyHeader = "x-svc-clientkey";
const keyAlias = "x-ik-clientkey";

/** Judges who calls and whether they may: credential first, then permission. */
export type Admission = (
  request: IncomingMessage,
  operation: Operation,
  requestId: string,
) => Promise<Caller>;

const text = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/**
 * A service account's bearer opens /configs and nothing else, an agent's key the data plane and nothing else
 * (api specification 2.1). The user's bearer is only looked at for its form: Node keeps the first of two headers,
 * so the service behind would not see that there were two.
 *
 * @param aliases also takes the key from `X-IK-ClientKey`.
 */
export const admissionBy =
  (credentials: Credentials, limits: RateLimits, aliases: boolean): Admission =>
  async (request, operation, requestId) => {
    const { headers, rawHeaders } = request;
    const address = request.socket.remoteAddress ?? "";
    if (operation.access.credential === "service_account") {
      const account = await limits.attempt(address, () =>
        credentials.serviceAccount(bearerOf(rawHeaders), requestId),
      );
      await limits.use(account.credential_kid);
      if (account.role === "all_viewer" && operation.method !== "get") throw new Problem("role_read_only");
      return account;
    }
    const key = text(headers[keyHeader]) ?? (aliases ? text(headers[keyAlias]) : undefined);
    const agent = await limits.attempt(address, () => credentials.agent(key, requestId));
    await limits.use(agent.credential_kid);
    bearerOf(rawHeaders);
    const { permission } = operation.access;
    if (!agent.permissions.includes(permission))
      throw new Problem("permission_missing", { message: `permission missing: ${permission}` });
    return agent;
  };

/** Headers that belong to one connection (RFC 9110, 7.6.1), except what frames the body. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);

export const isHopByHop = (name: string): boolean => hopByHop.has(name);

export const isInternal = (name: string): boolean => name.startsWith("x-internal-");

/** Takes out what must not reach a service and puts in what the gateway says about the caller. */
export const rewriteHeaders = (
  request: IncomingMessage,
  operation: Operation,
  context: string,
  requestId: string,
): void => {
  const { headers } = request;
  for (const name of Object.keys(headers)) if (isHopByHop(name) || isInternal(name)) delete headers[name];
  delete headers[keyHeader];
  delete headers[keyAlias];
  if (operation.access.credential === "service_account") delete headers.authorization;
  headers["x-internal-context"] = context;
  headers["x-request-id"] = requestId;
};

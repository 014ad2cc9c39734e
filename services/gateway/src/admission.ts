import type { IncomingMessage } from "node:http";
import { bearerOf, type Credentials, isAgentKey, malformedBearer } from "@ikg/auth";
import { type Caller, isOpenToViewers, type Operation } from "@ikg/contracts";
import { singleHeader } from "@ikg/service";
import type { ClientAddressOf } from "./client-address/client-address.ts";
import { keyAlias, keyHeader, keyHeaderName } from "./headers.ts";
import type { RateLimits } from "./rate-limit.ts";
import { CallerRefused } from "./rejections.ts";

/** Judges who calls and whether they may: credential first, then permission. */
export type Admission = (
  request: IncomingMessage,
  operation: Operation,
  requestId: string,
) => Promise<Caller>;

/**
 * A service account's bearer opens /configs and nothing else, an agent's key the data plane and nothing else. Clients
 * that know one header only, as those of AuthZEN do, send the key as their bearer. The user's bearer is only looked at
 * for its form: Node keeps the first of two headers, so the service behind would not see that there were two.
 *
 * @param aliases also takes the key from `X-IK-ClientKey`.
 */
export const admissionBy =
  (credentials: Credentials, limits: RateLimits, addressOf: ClientAddressOf, aliases: boolean): Admission =>
  async (request, operation, requestId) => {
    const { headers, rawHeaders } = request;
    const { access } = operation;
    const address = addressOf(request) ?? "";
    const header =
      singleHeader(headers[keyHeader]) ?? (aliases ? singleHeader(headers[keyAlias]) : undefined);
    const bearer = bearerOf(rawHeaders);
    const key = header ?? (bearer !== undefined && isAgentKey(bearer) ? bearer : undefined);
    if (
      access.credential === "service_account" ||
      // Without a key the bearer counts; with neither the key is what is missed.
      (access.credential === "either" && key === undefined && headers.authorization !== undefined)
    ) {
      const account = await limits.attempt(address, () => credentials.serviceAccount(bearer, requestId));
      await limits.use(account.credential_kid);
      if (account.role === "all_viewer" && !isOpenToViewers(operation))
        throw new CallerRefused(account, "role_read_only");
      return account;
    }
    // Which of the two is meant is not guessed.
    if (header !== undefined && bearer !== undefined && isAgentKey(bearer))
      throw malformedBearer(`a client key stands here and in ${keyHeaderName}; send it in one of them`);
    const agent = await limits.attempt(address, () => credentials.agent(key, requestId));
    await limits.use(agent.credential_kid);
    const { permission } = access;
    if (!agent.permissions.includes(permission))
      throw new CallerRefused(agent, "permission_missing", `permission missing: ${permission}`);
    return agent;
  };

import type { IncomingMessage } from "node:http";
import {
  bearerOf,
  type Credentials,
  isAccountToken,
  isAgentKey,
  malformedBearer,
  type People,
} from "@ikg/auth";
import {
  type AdministratorCaller,
  type Caller,
  callerName,
  type Operation,
  reachFor,
  roleMissing,
} from "@ikg/contracts";
import { singleHeader } from "@ikg/service";
import type { ClientAddressOf } from "./client-address/client-address.ts";
import { keyHeaderAlias, keyHeader, keyHeaderName } from "./headers.ts";
import type { RateLimits } from "./rate-limit.ts";
import { PermissionDeniedError } from "./rejections.ts";

/** Authenticates and authorizes a caller: credential first, then permission. */
export type Admission = (
  request: IncomingMessage,
  operation: Operation,
  requestId: string,
) => Promise<Caller>;

const refusedByRole = (caller: AdministratorCaller): PermissionDeniedError => {
  const { code, message } = roleMissing(caller);
  return new PermissionDeniedError(caller, code, message);
};

/** Signed JSON in compact form, as access tokens of people are: three parts. */
const isJwt = (token: string): boolean => token.split(".").length === 3;

const administratorOf = (
  bearer: string | undefined,
  requestId: string,
  credentials: Credentials,
  people: People | undefined,
): Promise<AdministratorCaller> =>
  people !== undefined && bearer !== undefined && !isAccountToken(bearer) && isJwt(bearer)
    ? people.user(bearer)
    : credentials.serviceAccount(bearer, requestId);

/**
 * Administrators (service accounts and people) authenticate by a bearer, agents by a client key. Clients that support only one
 * header, such as those of AuthZEN, send the key as their bearer. Of an end user's bearer only the form is checked: Node keeps the
 * first of two `Authorization` headers, so the service behind could not detect the second one.
 *
 * @param people undefined in a deployment without an issuer for them.
 * @param aliases also takes the key from `X-IK-ClientKey`.
 */
export const admissionBy =
  (
    credentials: Credentials,
    people: People | undefined,
    limits: RateLimits,
    addressOf: ClientAddressOf,
    aliases: boolean,
  ): Admission =>
  async (request, operation, requestId) => {
    const { headers, rawHeaders } = request;
    const { access } = operation;
    const address = addressOf(request) ?? "";
    const header =
      singleHeader(headers[keyHeader]) ?? (aliases ? singleHeader(headers[keyHeaderAlias]) : undefined);
    const bearer = bearerOf(rawHeaders);
    const key = header ?? (bearer !== undefined && isAgentKey(bearer) ? bearer : undefined);
    if (
      access.credential === "administrator" ||
      // Without a key the bearer is used; with neither, the key is reported as missing.
      (access.credential === "either" && key === undefined && headers.authorization !== undefined)
    ) {
      const administrator = await limits.attempt(address, () =>
        administratorOf(bearer, requestId, credentials, people),
      );
      await limits.use(callerName(administrator));
      if (reachFor(administrator, access).length === 0) throw refusedByRole(administrator);
      return administrator;
    }
    // Two keys are ambiguous.
    if (header !== undefined && bearer !== undefined && isAgentKey(bearer))
      throw malformedBearer(
        `a client key was sent as bearer token and in ${keyHeaderName}; send it in one of them`,
      );
    const agent = await limits.attempt(address, () => credentials.agent(key, requestId));
    await limits.use(agent.credential_kid);
    const { permission } = access;
    if (!agent.permissions.includes(permission))
      throw new PermissionDeniedError(agent, "permission_missing", `permission missing: ${permission}`);
    return agent;
  };

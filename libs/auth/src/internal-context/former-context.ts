import { Caller, type ServiceName } from "@ikg/contracts";
import { jwtVerify } from "jose";
import { contextIssuers, type InternalContext } from "./context.ts";
import { originClaims, rememberSigned, signClaims, type SignContext } from "./sign-context.ts";

/*
 * Contexts as releases before 0.2 signed them: with one key for all services (HMAC), for any endpoint of a service. While a
 * deployment is upgraded its new processes state and accept both; without INTERNAL_CONTEXT_KEY they do neither.
 */

export const formerContextHeader = "x-internal-context";

const algorithm = "HS256";

/** @param key 32 bytes, INTERNAL_CONTEXT_KEY. */
export const signFormerContext = (key: Uint8Array, now: () => number = Date.now): SignContext =>
  rememberSigned(
    (caller, { service }, address, alias) =>
      signClaims(
        { ...caller, ...originClaims(address, alias) },
        { key, alg: algorithm, issuer: "gateway", service, now: now() },
      ),
    now,
  );

/** @throws JOSEError of `jose` for a token that is not valid, ZodError for a caller of a wrong form. */
export const verifyFormerContext =
  (key: Uint8Array, service: ServiceName, now: () => number = Date.now) =>
  async (text: string): Promise<InternalContext> => {
    const { payload } = await jwtVerify(text, key, {
      issuer: contextIssuers.gateway,
      audience: service,
      algorithms: [algorithm],
      requiredClaims: ["exp"],
      currentDate: new Date(now()),
    });
    const { client_address: address, path_alias: alias, ...caller } = payload;
    return {
      caller: "kind" in caller ? Caller.parse(caller) : undefined,
      address: typeof address === "string" ? address : undefined,
      alias: typeof alias === "string" ? alias : undefined,
    };
  };

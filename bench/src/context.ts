/** The internal context that the gateway would sign, for asking a service without the gateway. */
import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import type { AgentCaller } from "@ikg/contracts";
import type { Target } from "./settings.ts";

const renewAfterMs = 20_000;

type Headers = Readonly<Record<string, string>>;

/**
 * The headers of a POST to each of some routes of a service, renewed in time as the gateway renews them.
 *
 * @param service whose path each route begins with.
 */
export const openContext = async <R extends `/${string}`>(
  { gatewaySigningKey }: Pick<Target, "gatewaySigningKey">,
  caller: AgentCaller,
  service: "access" | "ciq" | "capture",
  routes: readonly R[],
): Promise<{ readonly headers: (route: R) => Headers; stop(): void }> => {
  const key = createPrivateKey({
    key: Buffer.from(gatewaySigningKey, "base64"),
    format: "der",
    type: "pkcs8",
  });
  const sign = (route: R): Promise<string> =>
    new SignJWT({ method: "POST", route, caller })
      .setProtectedHeader({ alg: "Ed25519" })
      .setIssuer("ikg-gateway")
      .setAudience(service)
      .setIssuedAt()
      .setExpirationTime("60 seconds")
      .sign(key);
  const signed = new Map<R, Headers>();
  const renew = async (): Promise<void> => {
    for (const route of routes) signed.set(route, { "x-internal-call": await sign(route) });
  };
  await renew();
  const timer = setInterval(() => void renew(), renewAfterMs);
  return { headers: (route) => signed.get(route) ?? {}, stop: () => clearInterval(timer) };
};

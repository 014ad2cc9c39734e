/** The internal context that the gateway would sign, for asking a service without the gateway. */
import { SignJWT } from "jose";
import type { AgentCaller } from "@ikg/contracts";

const renewAfterMs = 20_000;

/** The header's text, renewed in time as the gateway renews it. */
export const openContext = async (
  key: Uint8Array,
  caller: AgentCaller,
  audience = "access",
): Promise<{ readonly text: () => string; stop(): void }> => {
  const sign = (): Promise<string> =>
    new SignJWT({ ...caller })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer("ikg-gateway")
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime("60 seconds")
      .sign(key);
  let text = await sign();
  const timer = setInterval(() => {
    void sign().then((next) => {
      text = next;
    });
  }, renewAfterMs);
  return { text: () => text, stop: () => clearInterval(timer) };
};

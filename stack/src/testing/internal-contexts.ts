/** Keys of a deployment of tests, and what the contexts of its calls are for. */
import { createPrivateKey, createPublicKey, randomBytes } from "node:crypto";
import { operations, type ServiceName } from "@ikg/contracts";
import { newSigningKey, publicKeyOf } from "../signing-keys.ts";

/** A pair as settings take it, and as `@ikg/auth` does. */
export const newKeyPair = () => {
  const signingKey = newSigningKey();
  const privateKey = createPrivateKey({
    key: Buffer.from(signingKey, "base64"),
    format: "der",
    type: "pkcs8",
  });
  return {
    signingKey,
    publicKeys: publicKeyOf(signingKey),
    privateKey,
    publicKey: createPublicKey(privateKey),
  };
};

const matches = (route: string, segments: readonly string[]): boolean => {
  const own = route.split("/");
  return (
    own.length === segments.length && own.every((each, at) => each.startsWith(":") || each === segments[at])
  );
};

const parametersOf = (route: string): number => route.split(":").length;

/** The endpoint that a request is for; the path of no operation is a route of the test's own. */
export const targetOf = (service: ServiceName, requestMethod: string, url: string) => {
  const [path = ""] = url.split("?");
  const method = requestMethod === "HEAD" ? "GET" : requestMethod;
  const segments = path.replace(/(?<=.)\/$/, "").split("/");
  const [best] = operations
    .filter((each) => each.service === service && each.method.toUpperCase() === method)
    .filter((each) => matches(each.path, segments))
    // Fixed segments go before parameters.
    .toSorted((one, other) => parametersOf(one.path) - parametersOf(other.path));
  return { service, method, route: best?.path ?? path };
};

/** The gateway's pair in the tests of one process. */
export const gatewayOfTests = newKeyPair();

/** What a service needs to know callers, whose contexts a test signs. */
export const keysOfTests = {
  GATEWAY_PUBLIC_KEYS: gatewayOfTests.publicKeys,
  TOKEN_SEALING_KEY: randomBytes(32).toString("base64"),
};

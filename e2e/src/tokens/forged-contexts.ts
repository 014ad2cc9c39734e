/** Contexts that a holder of the environment of a service can make up. */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";

/** What a context is forged for. */
export interface ForgedCall {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly caller: object | undefined;
}

const issuers = ["ikg-gateway", "ikg-mcp"] as const;

const privateKeyIn = (value: string): KeyObject | undefined => {
  try {
    return createPrivateKey({ key: Buffer.from(value, "base64"), format: "der", type: "pkcs8" });
  } catch {
    return undefined;
  }
};

/** Every secret of an environment as a key of a signature, and as bytes of an HMAC, public keys too. */
const keysIn = (environment: Readonly<Record<string, string>>) => {
  const values = Object.values(environment).filter((value) => value.length >= 16);
  const signing = values.flatMap((value) => privateKeyIn(value) ?? []);
  const shared = values.flatMap((value) => [
    Buffer.from(value),
    ...value.split(",").map((each) => Buffer.from(each, "base64")),
  ]);
  return { signing, shared: shared.filter(({ length }) => length >= 16) };
};

/** Every context for a call that can be signed with what an environment holds. */
export const forgedContexts = async (
  environment: Readonly<Record<string, string>>,
  { service, method, route, caller }: ForgedCall,
): Promise<readonly string[]> => {
  const { signing, shared } = keysIn(environment);
  const claims = { method, route, ...(caller === undefined ? {} : { caller }) };
  const texts: string[] = [];
  for (const issuer of issuers) {
    const unsigned = <T extends SignJWT | UnsecuredJWT>(jwt: T): T =>
      jwt.setIssuer(issuer).setAudience(service).setIssuedAt().setExpirationTime("60 s") as T; // each returns itself
    texts.push(unsigned(new UnsecuredJWT(claims)).encode());
    for (const key of signing)
      texts.push(await unsigned(new SignJWT(claims)).setProtectedHeader({ alg: "Ed25519" }).sign(key));
    for (const key of shared)
      texts.push(await unsigned(new SignJWT(claims)).setProtectedHeader({ alg: "HS256" }).sign(key));
  }
  return texts;
};

/** A context of the gateway, with its key (PKCS #8 in base64). */
export const forgedContext = async (
  key: string,
  { service, method, route }: ForgedCall,
  more: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const signing = privateKeyIn(key);
  if (signing === undefined) throw new Error("no private key");
  return new SignJWT({ method, route, ...more })
    .setProtectedHeader({ alg: "Ed25519" })
    .setIssuer(issuers[0])
    .setAudience(service)
    .setIssuedAt()
    .setExpirationTime("60 s")
    .sign(signing);
};

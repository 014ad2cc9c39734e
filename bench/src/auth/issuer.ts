/** An identity provider of the measurement's own: a key of RS256, and tokens as a usual provider signs them. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  /** public, with its key id */
  readonly jwk: JWK;
  readonly publicKey: CryptoKey;
  /** No two tokens of an issuer are the same. */
  sign(): Promise<string>;
}

const algorithm = "RS256";
const kid = "bench-1";
const lifetimeSeconds = 1_800;

export const makeIssuer = async (): Promise<Issuer> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const issuer = "https://issuer.bench.example";
  const audience = "ikg-bench";
  let made = 0;
  return {
    issuer,
    audience,
    jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" },
    publicKey,
    sign: () => {
      made += 1;
      const issuedAt = Math.floor(Date.now() / 1000);
      return new SignJWT({
        iss: issuer,
        aud: audience,
        sub: `person-${made}`,
        jti: `token-${made}`,
        iat: issuedAt,
        auth_time: issuedAt,
        exp: issuedAt + lifetimeSeconds,
        name: "Ada Bench",
        email: `person-${made}@bench.example`,
        email_verified: true,
        scope: "openid profile email",
        acr: "urn:bench:2",
      })
        .setProtectedHeader({ alg: algorithm, kid, typ: "JWT" })
        .sign(privateKey);
    },
  };
};

/** A project's record of the tokens that it trusts. */
export const claimsMapping = { email: { selector: "email" }, full_name: { selector: "name" } } as const;

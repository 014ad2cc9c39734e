/**
 * A token issuer of the demo's own, in place of the identity provider that a real archive would have. Its public
 * key is registered with the project; its private key stays in `$IKG_HOME/demo/issuer.json` (mode 600).
 */
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { readJson, writeJson } from "./keep.ts";

export interface Claims {
  /** external id of the person */
  readonly sub: string;
  readonly scope: string;
}

export interface Issuer {
  /** JSON text of the public key, as a token introspect configuration takes it */
  readonly publicJwk: string;
  /** A token that ends after an hour. */
  sign(claims: Claims): Promise<string>;
}

export const issuerUrl = "https://login.film-archive.example";
export const audience = "film-archive";

const algorithm = "ES256";
const lifetime = "1 hour";

interface Kept {
  readonly private_jwk: JWK;
  readonly public_jwk: JWK;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && "private_jwk" in value && "public_jwk" in value;

const make = async (): Promise<Kept> => {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const named = { kid: crypto.randomUUID(), alg: algorithm, use: "sig" };
  return {
    private_jwk: { ...(await exportJWK(pair.privateKey)), ...named },
    public_jwk: { ...(await exportJWK(pair.publicKey)), ...named },
  };
};

/** The issuer whose key is kept in `file`; a new one when there is none, or none that can be read. */
export const openIssuer = async (file: string): Promise<Issuer> => {
  const found = readJson(file);
  const kept = isKept(found) ? found : await make();
  if (kept !== found) writeJson(file, kept);
  const key = await importJWK(kept.private_jwk, algorithm);
  return {
    publicJwk: JSON.stringify(kept.public_jwk),
    sign: ({ sub, scope }) =>
      new SignJWT({ scope })
        .setProtectedHeader({ alg: algorithm, ...(kept.public_jwk.kid ? { kid: kept.public_jwk.kid } : {}) })
        .setIssuer(issuerUrl)
        .setAudience(audience)
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime(lifetime)
        .sign(key),
  };
};

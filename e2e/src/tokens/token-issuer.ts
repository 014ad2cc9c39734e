import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { freshName } from "../fresh-name.ts";
import { openAdmin } from "../requests/clients.ts";
import { takeEffect } from "../take-effect.ts";

/** A foreign identity provider: it has a key, and a project trusts it. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly introspectId: string;
  /** A token of `sub` with further claims; `exp` in 5 minutes unless given. */
  sign(sub: string, claims?: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface IssuerOptions {
  readonly ikg_node_type?: string;
  readonly claims_mapping?: Readonly<Record<string, { readonly selector: string }>>;
  readonly sub_claim?: string;
}

const algorithm = "ES256";

/** Makes a key pair for this run and registers its public half with the project. */
export const createTokenIssuer = async (
  projectId: string,
  options: IssuerOptions = {},
): Promise<TokenIssuer> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const kid = freshName("key");
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" };
  const issuer = `https://${freshName("issuer")}.example`;
  const audience = "ikg-e2e";
  const { id } = await openAdmin(projectId).introspects.create({
    name: freshName("introspect"),
    jwt_matcher: { issuer, audience },
    offline_validation: { public_jwks: [JSON.stringify(jwk)] },
    ikg_node_type: "Person",
    ...options,
  });
  await takeEffect();
  return {
    issuer,
    audience,
    introspectId: id,
    sign: (sub, claims = {}) =>
      new SignJWT({
        iss: issuer,
        aud: audience,
        sub,
        exp: Math.floor(Date.now() / 1000) + 300,
        iat: Math.floor(Date.now() / 1000),
        ...claims,
      })
        .setProtectedHeader({ alg: algorithm, kid })
        .sign(privateKey),
  };
};

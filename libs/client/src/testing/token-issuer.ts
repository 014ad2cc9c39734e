const issuer = "https://login.ikg-tests.example";
const audience = "ikg-tests";
const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
const lifetimeSeconds = 3_600;

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const encode = (value: unknown): string => base64Url(new TextEncoder().encode(JSON.stringify(value)));

/** An identity provider that exists for one test project alone. */
export interface TokenIssuer {
  readonly matcher: { readonly issuer: string; readonly audience: string };
  /** The public key as JSON, as a token introspect takes it. */
  readonly publicJwk: string;
  sign(subject: string, claims: Readonly<Record<string, unknown>>): Promise<string>;
}

export const createTokenIssuer = async (): Promise<TokenIssuer> => {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  const kid = crypto.randomUUID();
  return {
    matcher: { issuer, audience },
    publicJwk: JSON.stringify({ kty, crv, x, y, kid, alg: "ES256", use: "sig" }),
    sign: async (sub, claims) => {
      const now = Math.floor(Date.now() / 1_000);
      const times = { iat: now, auth_time: now, exp: now + lifetimeSeconds };
      const content = { iss: issuer, aud: audience, sub, ...times, ...claims };
      const text = `${encode({ alg: "ES256", kid })}.${encode(content)}`;
      const signature = await crypto.subtle.sign(
        { ...algorithm, hash: "SHA-256" },
        privateKey,
        new TextEncoder().encode(text),
      );
      return `${text}.${base64Url(new Uint8Array(signature))}`;
    },
  };
};

import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { timeClaims } from "../file/read-people.ts";
import type { Person } from "../file/world.ts";

/** The issuer of the tokens of test projects, which exists for one run only. */
export interface Issuer {
  /** The public key as JSON, in the format of a token introspect. */
  readonly publicJwk: string;
  /** A token of a person, with the claims that policies see. */
  sign(person: Person, worldNow: number | undefined): Promise<SignedToken>;
}

export interface SignedToken {
  readonly token: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const algorithm = "ES256";
const lifetimeSeconds = 3_600;
const defaults = { iss: "https://login.policy-tests.example", aud: "policy-tests" } as const;

/** Issuer and audience of a person's tokens. */
export const matcherOf = ({ claims }: Person): { readonly issuer: string; readonly audience: string } => ({
  issuer: claims.iss ?? defaults.iss,
  audience: [claims.aud ?? defaults.aud].flat()[0] ?? defaults.aud,
});

const secondsOf = (value: unknown): number =>
  typeof value === "number" ? value : Math.floor(Date.parse(String(value)) / 1_000);

/**
 * The claims of a token that is signed now. Times of the file are shifted by the difference between its `now` and the current time,
 * so that they have the same age as at `now`.
 */
export const claimsAt = (
  { claims }: Person,
  worldNow: number | undefined,
  nowMs: number,
): Readonly<Record<string, unknown>> => {
  const now = Math.floor(nowMs / 1_000);
  const moved = worldNow === undefined ? 0 : now - Math.floor(worldNow / 1_000);
  const times = timeClaims.flatMap((claim) =>
    claims[claim] === undefined ? [] : [[claim, secondsOf(claims[claim]) + moved] as const],
  );
  return { ...defaults, iat: now, exp: now + lifetimeSeconds, ...claims, ...Object.fromEntries(times) };
};

/** Adds the derived claims that policies can use. */
const withAge = (claims: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof claims["auth_time"] === "number"
    ? { ...claims, auth_age: Math.floor(Date.now() / 1_000) - claims["auth_time"] }
    : claims;

export const openIssuer = async (): Promise<Issuer> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const kid = crypto.randomUUID();
  const publicJwk = JSON.stringify({ ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" });
  return {
    publicJwk,
    sign: async (person, worldNow) => {
      const claims = claimsAt(person, worldNow, Date.now());
      const token = await new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
      return { token, claims: withAge(claims) };
    },
  };
};

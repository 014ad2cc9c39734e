import { createPublicKey } from "node:crypto";
import { text } from "../names.ts";
import { isJsonObject } from "../values/is-json-object.ts";

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
const curves: Record<string, readonly string[]> = { EC: ["P-256", "P-384", "P-521"], OKP: ["Ed25519"] };
const minModulusBits = 2048;

const parsed = (value: string): object | undefined => {
  try {
    const json: unknown = JSON.parse(value);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
};

/** What is wrong with the text of one public JWK; undefined when a token can be verified with it. */
const publicJwkFault = (value: string): string | undefined => {
  const jwk = parsed(value);
  if (jwk === undefined) return "not a JSON object";
  if (privateMembers.some((member) => Object.hasOwn(jwk, member))) return "private key material";
  const { kty, crv } = jwk as { kty?: unknown; crv?: unknown }; // any member may be missing or of any type
  const allowed = typeof kty === "string" && Object.hasOwn(curves, kty) ? curves[kty] : undefined;
  if (kty !== "RSA" && allowed === undefined) return "kty: one of RSA, EC, OKP";
  if (allowed !== undefined && !(typeof crv === "string" && allowed.includes(crv)))
    return `crv: one of ${allowed.join(", ")}`;
  try {
    const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
    const bits = key.asymmetricKeyDetails?.modulusLength;
    if (kty === "RSA" && (bits === undefined || bits < minModulusBits)) return "RSA modulus under 2048 bits";
    return undefined;
  } catch {
    return "not a public key";
  }
};

/** A public JWK as JSON text, 96-8192 characters. */
export const publicJwk = text(96, 8192).superRefine((value, context) => {
  const fault = publicJwkFault(value);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

import { base64url, compactVerify, type CryptoKey, importJWK, type KeyObject } from "jose";
import { canonical } from "./canonical.ts";
import { type AuditKey, type Checkpoint, type Manifest, signatureAlgorithms } from "./artefacts.ts";
import { payloadOf, type SignedKind, signatureTypes } from "./signature.ts";

/** A public key that is ready to verify. */
export interface VerifyingKey {
  readonly alg: string;
  readonly key: CryptoKey | KeyObject | Uint8Array;
}

export type VerifyingKeys = ReadonlyMap<string, VerifyingKey>;

/** A byte order mark is a character like any other: it is not skipped. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the text is the only base64url of its bytes. */
const isExact = (text: string): boolean => {
  try {
    return base64url.encode(base64url.decode(text)) === text;
  } catch {
    return false;
  }
};

/** @throws Error for a key that is none, or whose text could be written differently. */
export const verifyingKey = async (jwk: AuditKey): Promise<VerifyingKey> => {
  const numbers = jwk.kty === "EC" ? [jwk.x, jwk.y] : [jwk.n, jwk.e];
  // Bits after the last byte would let two texts be one key.
  if (!numbers.every(isExact)) throw new Error("its numbers are not exact base64url");
  return { alg: jwk.alg, key: await importJWK({ ...jwk }, jwk.alg) };
};

/**
 * Verifies one detached signature.
 *
 * @returns what is wrong, or undefined.
 */
export const signatureFault = async (
  kind: SignedKind,
  signed: Manifest | Checkpoint,
  keys: VerifyingKeys,
): Promise<string | undefined> => {
  const [header, payload, bytes, ...more] = signed.signature.split(".");
  if (header === undefined || payload !== "" || bytes === undefined || more.length > 0)
    return "the signature is not a detached JWS";
  if (!isExact(header) || !isExact(bytes)) return "the signature is not exact base64url";
  let parsedHeader: unknown;
  try {
    parsedHeader = JSON.parse(utf8.decode(base64url.decode(header)));
  } catch {
    return "the header of the signature is not JSON";
  }
  const { alg, kid } = signed;
  // Nothing else may be in it: `crit`, `jwk` or `b64` would change what the signature means.
  if (canonical(parsedHeader) !== canonical({ alg, kid, typ: signatureTypes[kind] }))
    return `the header of the signature does not hold exactly the alg, kid and typ of the ${kind}`;
  if (!signatureAlgorithms.includes(alg)) return "the algorithm is not one of audit signatures";
  const known = keys.get(kid);
  if (known === undefined) return `the key "${kid}" is not known`;
  if (known.alg !== alg) return `the key "${kid}" is not one for ${alg}`;
  try {
    await compactVerify(`${header}.${payloadOf(signed)}.${bytes}`, known.key, { algorithms: [alg] });
    return undefined;
  } catch {
    return `the signature is not by the key "${kid}"`;
  }
};

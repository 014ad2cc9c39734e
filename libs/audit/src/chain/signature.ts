import { base64url } from "jose";
import { canonical } from "./canonical.ts";
import type { Checkpoint, Manifest, SignatureAlgorithm } from "./artefacts.ts";

/** What is signed: a manifest or a checkpoint. */
export type SignedKind = "manifest" | "checkpoint";

/** `typ` of the protected header. */
export const signatureTypes = {
  manifest: "audit-manifest+jws",
  checkpoint: "audit-checkpoint+jws",
} as const;

export interface SigningKeyName {
  readonly alg: SignatureAlgorithm;
  readonly kid: string;
}

export type Unsigned<T extends Manifest | Checkpoint> = Omit<T, "signature">;

const utf8 = new TextEncoder();

const encoded = (text: string): string => base64url.encode(utf8.encode(text));

/** The payload of a signature: what is signed, without the signature. */
export const payloadOf = (signed: Unsigned<Manifest> | Unsigned<Checkpoint>): string => {
  const { signature: _, ...rest } = { signature: "", ...signed };
  return encoded(canonical(rest));
};

/** The protected header, encoded; the order of its members is ours and travels with the signature. */
const headerOf = (kind: SignedKind, { alg, kid }: SigningKeyName): string =>
  encoded(JSON.stringify({ alg, kid, typ: signatureTypes[kind] }));

/** Makes the bytes of a signature: for ECDSA in the fixed R‖S form of RFC 7518. */
export type SignBytes = (signingInput: Uint8Array) => Promise<Uint8Array>;

/** Signs: a JWS with detached payload (RFC 7515, appendix F). */
export const detachedSignature = async (
  kind: SignedKind,
  signed: Unsigned<Manifest> | Unsigned<Checkpoint>,
  sign: SignBytes,
): Promise<string> => {
  const header = headerOf(kind, signed);
  const bytes = await sign(utf8.encode(`${header}.${payloadOf(signed)}`));
  return `${header}..${base64url.encode(bytes)}`;
};

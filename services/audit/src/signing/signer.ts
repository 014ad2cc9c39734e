import { type AuditKey, signatureAlgorithms, type signingFailures } from "@ikg/audit";

export type SigningFailure = (typeof signingFailures)[number];

/** Signing is not possible now; `reason` classifies why. */
export class SigningFault extends Error {
  override readonly name = "SigningFault";
  readonly reason: SigningFailure;

  constructor(reason: SigningFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The message of an `unsupported_key` failure. */
export const unsupportedKeyMessage = `unsupported key: ${signatureAlgorithms.join(", ")} expected`;

/** One key that signs. */
export interface Signer {
  /** The public key, with the `kid` and `alg` that stand in signatures. */
  publicKey(): Promise<AuditKey>;
  /**
   * Signs the signing input of a JWS; ECDSA in the fixed form of RFC 7518.
   *
   * @throws SigningFault
   */
  sign(input: Uint8Array): Promise<Uint8Array>;
  /** Closes its connections. */
  close(): void;
}

import { createHash, type JsonWebKey, type KeyObject } from "node:crypto";
import { AuditKey, type SignatureAlgorithm } from "@ikg/audit";
import { type Signer, SigningFault } from "../signer.ts";

/** A key that a provider keeps: what the provider's own library has to do for it. */
export interface RemoteKey {
  /** The public half, and the algorithm that the provider signs with. */
  describe(signal: AbortSignal): Promise<{ readonly alg: SignatureAlgorithm; readonly key: JsonWebKey }>;
  /** Signs a digest; of an ECDSA key in the form that `form` says. */
  signDigest(digest: Uint8Array, alg: SignatureAlgorithm, signal: AbortSignal): Promise<Uint8Array>;
  /** DER as the clouds of Amazon and Google answer it, or the fixed form of RFC 7518. */
  readonly form: "der" | "jose";
  /** What an error of the provider's library means. */
  classify(error: unknown): SigningFault;
  close(): void;
}

const callMs = 5_000;
const sizes = { ES256: 32, ES384: 48 } as const;
const digestOf = (alg: SignatureAlgorithm, input: Uint8Array): Uint8Array =>
  createHash(alg === "ES384" ? "sha384" : "sha256")
    .update(input)
    .digest();

/** The form of RFC 7518 (R and S, each of one size) of a signature in DER: a sequence of two integers. */
export const joseFormOf = (der: Uint8Array, alg: "ES256" | "ES384"): Uint8Array => {
  const size = sizes[alg];
  const signature = new Uint8Array(size * 2);
  // The second byte is the length of the sequence: these signatures are shorter than 128 bytes.
  let at = 2;
  for (const end of [size, size * 2]) {
    const length = der[at + 1] ?? 0;
    const from = at + 2;
    let integer = der.subarray(from, from + length);
    while (integer.length > size && integer[0] === 0) integer = integer.subarray(1);
    if (der[0] !== 0x30 || der[at] !== 0x02 || length === 0 || integer.length > size)
      throw new SigningFault("unsupported_key", "the provider's signature is not one in DER");
    signature.set(integer, end - integer.length);
    at = from + length;
  }
  return signature;
};

/** The public key of a provider as a JWK. */
export const jwkOf = (key: KeyObject): JsonWebKey => key.export({ format: "jwk" });

/** A signer whose key stays with its provider. Each call has 5 s; the public key is fetched once. */
export const remoteSigner = (remote: RemoteKey, kid: string): Signer => {
  const call = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(callMs);
    let late: (() => void) | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      late = () => reject(new SigningFault("unavailable", "the provider did not answer in time"));
      signal.addEventListener("abort", late, { once: true });
    });
    try {
      // Not every library stops when its signal is aborted.
      return await Promise.race([work(signal), tooLate]);
    } catch (error) {
      if (error instanceof SigningFault) throw error;
      throw signal.aborted
        ? new SigningFault("unavailable", "the provider did not answer in time", error)
        : remote.classify(error);
    } finally {
      if (late !== undefined) signal.removeEventListener("abort", late);
    }
  };
  const describe = async (): Promise<AuditKey> => {
    const { alg, key } = await call((signal) => remote.describe(signal));
    const known = AuditKey.safeParse({ ...key, kid, alg, use: "sig" });
    if (!known.success) throw new SigningFault("unsupported_key", "the provider's public key cannot be used");
    return known.data;
  };
  let known: Promise<AuditKey> | undefined;
  const publicKey = (): Promise<AuditKey> => {
    known ??= describe();
    known.catch(() => (known = undefined));
    return known;
  };
  return {
    publicKey,
    sign: async (input) => {
      const { alg } = await publicKey();
      const signature = await call((signal) => remote.signDigest(digestOf(alg, input), alg, signal));
      return remote.form === "der" && (alg === "ES256" || alg === "ES384")
        ? joseFormOf(signature, alg)
        : signature;
    },
    close: () => remote.close(),
  };
};

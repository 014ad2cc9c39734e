/** Real keys as key services keep them, and what they sign with them. */
import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateEncrypt,
  randomBytes,
} from "node:crypto";
import { p256, p384 } from "@noble/curves/nist.js";

export type KeyAlgorithm = "ES256" | "ES384" | "PS256" | "RS256";

/** One key that a service keeps. */
export interface CloudKey {
  readonly alg: KeyAlgorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const newCloudKey = (alg: KeyAlgorithm): CloudKey => ({
  alg,
  ...(alg === "ES256" || alg === "ES384"
    ? generateKeyPairSync("ec", { namedCurve: alg === "ES256" ? "P-256" : "P-384" })
    : generateKeyPairSync("rsa", { modulusLength: 2048 })),
});

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** What stands before a SHA-256 in a signature of PKCS #1 v1.5 (RFC 8017, section 9.2). */
const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** A digest as RSASSA-PSS encodes it for a key of 2,048 bits, with a salt of its own length (RFC 8017, section 9.1.1). */
const pssEncoded = (digest: Uint8Array): Buffer => {
  const salt = randomBytes(32);
  const hash = sha256(Buffer.alloc(8), digest, salt);
  const block = Buffer.concat([Buffer.alloc(256 - 32 - 32 - 2), Buffer.from([1]), salt]);
  const mask = Buffer.concat(Array.from({ length: 7 }, (_, at) => sha256(hash, Buffer.from([0, 0, 0, at]))));
  const masked = Buffer.from(block.map((byte, at) => byte ^ (mask[at] ?? 0)));
  masked.writeUInt8(masked.readUInt8(0) & 0x7f, 0);
  return Buffer.concat([masked, hash, Buffer.from([0xbc])]);
};

/** Signs a digest that was computed elsewhere, which Node's own crypto does not do with every key. */
export const signDigest = (
  { alg, privateKey }: CloudKey,
  digest: Uint8Array,
  format: "der" | "compact",
): Buffer => {
  if (alg === "PS256")
    return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, pssEncoded(digest));
  if (alg === "RS256") return privateEncrypt(privateKey, Buffer.concat([digestInfo, digest]));
  const { d = "" } = privateKey.export({ format: "jwk" });
  const curve = alg === "ES256" ? p256 : p384;
  return Buffer.from(
    curve.sign(digest, Buffer.from(d, "base64url"), { prehash: false, lowS: false, format }),
  );
};

/** Pairs of keys by which the gateway and mcp say who calls; as settings take them, DER in base64. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";

export const newSigningKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");

export const publicKeyOf = (signingKey: string): string => {
  const key = createPrivateKey({ key: Buffer.from(signingKey, "base64"), format: "der", type: "pkcs8" });
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
};

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { AuditKey } from "@ikg/audit";
import type { Database } from "@ikg/graph";
import { isCurrent, type KeyRing, open, seal } from "@ikg/secrets";
import { calculateJwkThumbprint } from "jose";
import { platformKeyLabel } from "../store/labels.ts";
import type { Signer } from "./signer.ts";

const options = { timeoutMs: 30_000 };
const place = { record: "platform", field: "private_key" };
const readText = `MATCH (k:${platformKeyLabel} {id: 'platform'}) RETURN k.sealed AS sealed`;
// Of two processes that start together one makes the key, and both take what is there.
const makeText = `MERGE (k:${platformKeyLabel} {id: 'platform'}) ON CREATE SET k.sealed = $sealed RETURN k.sealed AS sealed`;
const resealText = `MATCH (k:${platformKeyLabel} {id: 'platform', sealed: $former}) SET k.sealed = $sealed`;

/** @throws Error when the text is not a private key of P-256. */
const privateKeyOf = (text: string): KeyObject => {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: JSON.parse(text) as Record<string, string>, format: "jwk" }); // checked by the call
  } catch {
    throw new Error("AUDIT_PLATFORM_KEY_JWK is not a private key in JWK form");
  }
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1")
    throw new Error("AUDIT_PLATFORM_KEY_JWK is not a key of P-256");
  return key;
};

const storedKey = async (database: Database, keys: KeyRing): Promise<KeyObject> => {
  const [stored] = await database.read(readText, {}, options);
  let sealed = stored?.["sealed"];
  if (typeof sealed !== "string") {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const made = seal(keys, place, JSON.stringify(privateKey.export({ format: "jwk" })));
    const [row] = await database.write((tx) => tx.run(makeText, { sealed: made }), options);
    sealed = row?.["sealed"];
  }
  const former = String(sealed);
  const text = open(keys, place, former);
  // The key that sealed it may go once the platform's key is sealed by the current one.
  if (!isCurrent(keys, former))
    await database.write((tx) => tx.run(resealText, { former, sealed: seal(keys, place, text) }), options);
  return privateKeyOf(text);
};

/**
 * The key of the deployment itself; its `kid` is its thumbprint.
 *
 * @param jwk the key as a setting; without it the one in the database, which is made when there is none.
 */
export const platformSigner = async (
  database: Database,
  keys: KeyRing,
  jwk: string | undefined,
): Promise<Signer> => {
  const privateKey = jwk === undefined ? await storedKey(database, keys) : privateKeyOf(jwk);
  const shown = createPublicKey(privateKey).export({ format: "jwk" });
  const kid = await calculateJwkThumbprint({ ...shown, kty: "EC" });
  const publicKey = AuditKey.parse({ ...shown, kid, alg: "ES256", use: "sig" });
  return {
    publicKey: async () => publicKey,
    sign: async (input) => sign("sha256", input, { key: privateKey, dsaEncoding: "ieee-p1363" }),
    close: () => undefined,
  };
};

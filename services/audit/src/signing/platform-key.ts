import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { AuditKey } from "@ikg/audit";
import type { Database } from "@ikg/graph";
import { isCurrent, type KeyRing, open, seal } from "@ikg/secrets";
import { calculateJwkThumbprint } from "jose";
import type { Signer } from "./signer.ts";

const platformKeyLabel = "_AuditPlatformKey";
const options = { timeoutMs: 30_000 };
const place = { record: "platform", field: "private_key" };
const readText = `MATCH (k:${platformKeyLabel} {id: 'platform'}) RETURN k.sealed AS sealed`;
// Of two processes that start together one makes the key, and both take what is there.
const makeText = `MERGE (k:${platformKeyLabel} {id: 'platform'}) ON CREATE SET k.sealed = $sealed RETURN k.sealed AS sealed`;
const resealText = `MATCH (k:${platformKeyLabel} {id: 'platform', sealed: $former}) SET k.sealed = $sealed`;

/** @throws Error when the text is not a private key of P-256; `origin` names where it came from. */
const privateKeyOf = (text: string, origin: string): KeyObject => {
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: JSON.parse(text) as Record<string, string>, format: "jwk" }); // checked by the call
  } catch {
    throw new Error(`${origin} is not a private key in JWK form`);
  }
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1")
    throw new Error(`${origin} is not a key of P-256`);
  return key;
};

/** The sealed key in the database; undefined before the first start. */
const readSealed = async (database: Database): Promise<string | undefined> => {
  const [row] = await database.read(readText, {}, options);
  const sealed = row?.["sealed"];
  return typeof sealed === "string" ? sealed : undefined;
};

/** Creates a key unless there is one by now. @returns the sealed key that the database holds */
const createSealed = async (database: Database, keys: KeyRing): Promise<string> => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const sealed = seal(keys, place, JSON.stringify(privateKey.export({ format: "jwk" })));
  const [row] = await database.write((tx) => tx.run(makeText, { sealed }), options);
  return String(row?.["sealed"]);
};

/** Seals the platform's key by the current key, so that the former one can be removed. */
const resealByCurrent = async (
  database: Database,
  keys: KeyRing,
  former: string,
  text: string,
): Promise<void> => {
  if (isCurrent(keys, former)) return;
  await database.write((tx) => tx.run(resealText, { former, sealed: seal(keys, place, text) }), options);
};

const storedKey = async (database: Database, keys: KeyRing): Promise<KeyObject> => {
  const sealed = (await readSealed(database)) ?? (await createSealed(database, keys));
  const text = open(keys, place, sealed);
  await resealByCurrent(database, keys, sealed, text);
  return privateKeyOf(text, "the platform's key in the database");
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
  const privateKey =
    jwk === undefined ? await storedKey(database, keys) : privateKeyOf(jwk, "AUDIT_PLATFORM_KEY_JWK");
  const publicJwk = createPublicKey(privateKey).export({ format: "jwk" });
  const kid = await calculateJwkThumbprint({ ...publicJwk, kty: "EC" });
  const publicKey = AuditKey.parse({ ...publicJwk, kid, alg: "ES256", use: "sig" });
  return {
    publicKey: async () => publicKey,
    sign: async (input) => sign("sha256", input, { key: privateKey, dsaEncoding: "ieee-p1363" }),
    close: () => undefined,
  };
};

import { createHash, randomFillSync } from "node:crypto";

/**
 * Kinds of global identifiers and their codes. The code is the first four
 * bytes of every gid; callers treat the whole as opaque.
 */
export const gidKinds = {
  organization: 1,
  project: 2,
  service_account: 3,
  application: 4,
  application_agent: 5,
  application_agent_credential: 6,
  service_account_credential: 7,
  authorization_policy: 8,
  knowledge_query: 9,
  trust_score_profile: 10,
  external_data_resolver: 11,
  token_introspect: 12,
  mcp_server: 13,
  audit_signing: 14,
  role_binding: 15,
  node: 20,
  relationship: 21,
  import: 22,
  change: 23,
} as const;

export type GidKind = keyof typeof gidKinds;

/** An identifier of a record, node or relationship: `gid:` and base64url without padding. */
export type Gid = string & { readonly __brand: "gid" };

const shape = /^gid:[A-Za-z0-9_-]{22,250}$/;

/** True when `text` has the form of a gid: unpadded base64url is never 1 mod 4 long. */
export const isGid = (text: string): text is Gid => shape.test(text) && (text.length - 4) % 4 !== 1;

/** The kind of a gid, or undefined for an unknown one. */
export const gidKind = (gid: Gid): GidKind | undefined => {
  const bytes = Buffer.from(gid.slice(4), "base64url");
  if (bytes.length !== 20) return undefined;
  const code = bytes.readUInt32BE(0);
  return (Object.keys(gidKinds) as GidKind[]).find((kind) => gidKinds[kind] === code);
};

const encode = (kind: GidKind, uuid: Buffer): Gid => {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt32BE(gidKinds[kind], 0);
  uuid.copy(bytes, 4, 0, 16);
  return `gid:${bytes.toString("base64url")}` as Gid;
};

// Asking the system for every id would cost a batch of 250 nodes a millisecond. Bytes are used once.
const entropy = Buffer.alloc(4096);
let entropyUsed = entropy.length;

/** 16 bytes of a version 7 UUID: time-ordered, so that ids made later sort later. */
const uuidV7 = (now: number): Buffer => {
  if (entropyUsed + 16 > entropy.length) {
    randomFillSync(entropy);
    entropyUsed = 0;
  }
  const bytes = Buffer.from(entropy.subarray(entropyUsed, (entropyUsed += 16)));
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes;
};

/** A new gid of a kind; `now` in milliseconds since the epoch. */
export const newGid = (kind: GidKind, now: number = Date.now()): Gid => encode(kind, uuidV7(now));

/** A new UUID of version 7 as text; `now` in milliseconds since the epoch. */
export const newUuid = (now: number = Date.now()): string =>
  uuidV7(now)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** The gid that follows from `parts`: the same parts give the same gid. Used for relationships. */
export const derivedGid = (kind: GidKind, parts: readonly string[]): Gid =>
  encode(kind, createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, 16));

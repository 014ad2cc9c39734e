import { z } from "zod";
import { isJsonObject } from "@ikg/contracts/values";

/** Algorithms of signatures. */
export const signatureAlgorithms = ["ES256", "ES384", "PS256", "RS256"] as const;

export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

const hash = z.string().regex(/^[0-9a-f]{64}$/, { error: "64 hexadecimal digits expected" });
const id = z.string().min(1);
const sequence = z.int().min(1);

const signed = {
  kid: z.string().min(1),
  alg: z.enum(signatureAlgorithms),
  signature: z.string(),
};

/** One event of a batch; `records` defines the data of each type. */
export const StoredEvent = z.custom<Readonly<Record<string, unknown>>>(
  // Not a record of zod, which would look at every member of a million events.
  (value) => isJsonObject(value),
  { error: "object expected" },
);

/** Events that were stored together. */
export const Batch = z.strictObject({
  batch_id: id,
  project_id: id,
  /** From 1, without a gap. */
  sequence,
  data: z.array(StoredEvent).min(1),
  hash,
  /** `head_hash` of the manifest. */
  chain_hash: hash,
  manifest_id: id,
  ...signed,
});

/** What is signed of a batch, and what links it to the one before. */
export const Manifest = z.strictObject({
  manifest_id: id,
  batch_id: id,
  project_id: id,
  sequence,
  /** `head_hash` of the manifest before; empty for the first. */
  prev_hash: z.union([z.literal(""), hash]),
  data_hash: hash,
  head_hash: hash,
  created_at: z.string(),
  ...signed,
});

/** States the length of a chain at a point in time. */
export const Checkpoint = z.strictObject({
  checkpoint_id: id,
  project_id: id,
  sequence,
  head_hash: hash,
  created_at: z.string(),
  ...signed,
});

/** Members that every key has. */
const keyMembers = { kid: z.string().min(1), use: z.literal("sig") };
const coordinate = z.string().regex(/^[\w-]+$/);

/** The public half of a key that signs or has signed. */
export const AuditKey = z.discriminatedUnion("kty", [
  z.strictObject({
    ...keyMembers,
    kty: z.literal("EC"),
    alg: z.enum(["ES256", "ES384"]),
    crv: z.enum(["P-256", "P-384"]),
    x: coordinate,
    y: coordinate,
  }),
  z.strictObject({
    ...keyMembers,
    kty: z.literal("RSA"),
    alg: z.enum(["PS256", "RS256"]),
    n: coordinate,
    e: coordinate,
  }),
]);

export const AuditKeys = z.strictObject({ keys: z.array(AuditKey) });

export type StoredEvent = z.output<typeof StoredEvent>;
export type Batch = z.output<typeof Batch>;
export type Manifest = z.output<typeof Manifest>;
export type Checkpoint = z.output<typeof Checkpoint>;
export type AuditKey = z.output<typeof AuditKey>;
export type AuditKeys = z.output<typeof AuditKeys>;

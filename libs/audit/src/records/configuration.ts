import { z } from "zod";
import { Repeats } from "./envelope.ts";

/** Of a record that stands for several refusals of the same. */
const repeats = Repeats.partial().shape;

/** Who has which role: the content of a role binding. */
const binding = z.strictObject({
  role: z.string(),
  subject: z.strictObject({
    service_account_id: z.string().optional(),
    claim: z.string().optional(),
    value: z.string().optional(),
  }),
});

/** A configuration record that was made, changed, deleted or read; values of its fields are here for role bindings alone. */
export const configuration = z.strictObject({
  kind: z.string(),
  id: z.string().optional(),
  name: z.string().optional(),
  version: z.int().optional(),
  /** Names of the fields that were sent or changed. */
  fields: z.array(z.string()).optional(),
  /** The change record that has the texts before and after. */
  change_id: z.string().optional(),
  /** Of a role binding, so that the records tell who had which role when. */
  binding: binding.optional(),
});

/** A call about change sets, versions, an export or a preview; what a set changes has records of its own. */
export const authoring = z.strictObject({
  call: z.enum(["apply", "dry_run", "revert", "rollback", "list", "read", "versions", "export", "preview"]),
  /** The change record that was made or read. */
  change_id: z.string().optional(),
  /** The change record that was reverted. */
  reverts: z.string().optional(),
  /** The collection and the record, where there is one. */
  kind: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  /** How many records were changed, or would be. */
  count: z.int().optional(),
});

/** A credential that was made or deleted. */
export const credential = z.strictObject({
  kid: z.string().optional(),
  id: z.string().optional(),
  /** Agent or service account that it belongs to. */
  owner: z.string().optional(),
  expire_time: z.string().optional(),
});

/** A credential that was refused. */
export const rejection = z.strictObject({
  kid: z.string().optional(),
  /** Agent or service account that it belongs to, or the `sub` of a person. */
  owner: z.string().optional(),
  reason: z.string(),
  ...repeats,
});

/** A user's token that was looked at. */
export const introspection = z.strictObject({
  config_id: z.string().optional(),
  result: z.enum(["active", "refused", "not_judged"]),
  error: z.string().optional(),
  /** First 16 hexadecimal digits of the SHA-256 of the token. */
  token_hash: z.string().regex(/^[0-9a-f]{16}$/),
  cached: z.boolean(),
  ...repeats,
});

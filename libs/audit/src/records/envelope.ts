import { z } from "zod";

const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Equal things that happened in a window of time: how many, and when the first and the last did. */
export const Repeats = z.strictObject({ count: z.int().min(1), first: instant, last: instant });

/** Who did it. */
export const Actor = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.enum(["service_account", "app_agent", "system"]),
    id: z.string(),
    credential_kid: z.string().optional(),
  }),
  /** A person, by an access token of `issuer`. */
  z.strictObject({
    type: z.literal("user"),
    issuer: z.string(),
    sub: z.string(),
    name: z.string().optional(),
  }),
]);

/** The end user whose token was used; the token itself is never here. */
export const OnBehalfOf = z.strictObject({
  iss: z.string().optional(),
  sub: z.string(),
  original_sub: z.string().optional(),
  act: z.array(z.string()).optional(),
});

/** The request; absent for what the platform does by itself. */
export const AuditedRequest = z.strictObject({
  id: z.string(),
  method: z.string(),
  /** Template of the route: the path itself may hold names of tenants' things. */
  path: z.string(),
  ip: z.string().optional(),
});

export const outcomes = ["success", "denied", "failed"] as const;
export type Outcome = (typeof outcomes)[number];

/** A field of which the record holds less than there was. */
export const CutField = z.strictObject({
  /** JSON Pointer (RFC 6901) from the top of the record. */
  field: z.string(),
  /** Length of the JSON of the whole value, and its SHA-256 in hexadecimal digits. */
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Elements of a list, or members of a map, that are left. */
  kept: z.int().min(0).optional(),
});

/** Fields of every record. */
export const envelope = {
  id: z.uuid(),
  time: instant,
  /** gid of the project, or of the organization for what concerns no project: the chain. */
  project_id: z.string(),
  actor: Actor,
  on_behalf_of: OnBehalfOf.optional(),
  request: AuditedRequest.optional(),
  outcome: z.enum(outcomes),
  status: z.int().optional(),
  cut: z.array(CutField).optional(),
};

export type Repeats = z.output<typeof Repeats>;
export type Actor = z.output<typeof Actor>;
export type OnBehalfOf = z.output<typeof OnBehalfOf>;
export type AuditedRequest = z.output<typeof AuditedRequest>;

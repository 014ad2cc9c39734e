import { z } from "zod";

const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Who did it. */
export const Actor = z.strictObject({
  type: z.enum(["service_account", "app_agent", "system"]),
  id: z.string(),
  credential_kid: z.string().optional(),
});

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

/** What every record says (runtime specification 5.1). */
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
};

export type Actor = z.output<typeof Actor>;
export type OnBehalfOf = z.output<typeof OnBehalfOf>;
export type AuditedRequest = z.output<typeof AuditedRequest>;

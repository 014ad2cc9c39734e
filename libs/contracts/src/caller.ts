import { z } from "zod";
import { accountRoles, permissions } from "./permissions.ts";
import { tableRoles } from "./roles.ts";
import type { Gid } from "./gid.ts";

const gid = z.string().transform((value) => value as Gid);

/** The end user whose token mcp has introspected. */
export const CallersUser = z.object({
  subject: z.string(),
  claims: z.record(z.string(), z.unknown()),
  configId: z.string(),
  nodeType: z.string(),
});

/** What the gateway sends to a service about an application agent. */
export const AgentCaller = z.object({
  kind: z.literal("agent"),
  credential_kid: z.string(),
  org: gid,
  project: gid,
  application: gid,
  agent: gid,
  permissions: z.array(z.enum(permissions)),
  /** Only in calls of the mcp service; who the user is, the service that is called judges by the bearer. */
  user: CallersUser.optional(),
});

/** Roles of an administrator, each with where it counts: the organization, or projects of it. */
export const Grants = z.partialRecord(z.enum(tableRoles), z.array(gid));

/** What the gateway sends to a service about a service account. */
export const ServiceAccountCaller = z.object({
  kind: z.literal("service_account"),
  credential_kid: z.string(),
  org: gid,
  service_account: gid,
  /** Of its record, over the organization. */
  role: z.enum(accountRoles).optional(),
  /** Of role bindings. */
  grants: Grants.optional(),
});

/** What the gateway sends to a service about a person who administers. */
export const UserCaller = z.object({
  kind: z.literal("user"),
  org: gid,
  issuer: z.string(),
  sub: z.string(),
  name: z.string().optional(),
  grants: Grants,
});

/** Whom a stored credential stands for. */
export const CredentialOwner = z.discriminatedUnion("kind", [AgentCaller, ServiceAccountCaller]);

/** Who calls: the content of the internal context. */
export const Caller = z.discriminatedUnion("kind", [AgentCaller, ServiceAccountCaller, UserCaller]);

export type Grants = z.output<typeof Grants>;
export type AgentCaller = z.output<typeof AgentCaller>;
export type ServiceAccountCaller = z.output<typeof ServiceAccountCaller>;
export type CredentialOwner = z.output<typeof CredentialOwner>;
export type UserCaller = z.output<typeof UserCaller>;
/** Who administers: judged by roles. */
export type AdministratorCaller = ServiceAccountCaller | UserCaller;
export type Caller = z.output<typeof Caller>;

/** Names of the services: audience of an internal context, label of logs and metrics. */
export const serviceNames = [
  "gateway",
  "configs",
  "capture",
  "access",
  "ciq",
  "mcp",
  "trust-scorer",
  "audit",
] as const;

export type ServiceName = (typeof serviceNames)[number];

import { type Account, asAccount } from "../requests/account.ts";
import type { ConfigRecord } from "../requests/configs.ts";
import { must } from "../requests/must.ts";

export type Body = Readonly<Record<string, unknown>>;

/** Creates a record of an account's organization. */
export const make = async (account: Account, path: string, json: Body): Promise<ConfigRecord> =>
  must<ConfigRecord>(await asAccount(account, path, { json }), 201);

/** Every collection, in the order in which they are documented; the same as the paths of `samplesOf`. */
export const collectionPaths = [
  "/projects",
  "/applications",
  "/application-agents",
  "/application-agent-credentials",
  "/service-accounts",
  "/service-account-credentials",
  "/role-bindings",
  "/authorization-policies",
  "/trust-score-profiles",
  "/external-data-resolvers",
  "/token-introspects",
  "/knowledge-queries",
  "/mcp-servers",
  "/audit-signings",
] as const;

/** Credentials and role bindings: they have neither names nor updates nor versions. */
export const isNameless = (path: string): boolean =>
  path.endsWith("-credentials") || path === "/role-bindings";

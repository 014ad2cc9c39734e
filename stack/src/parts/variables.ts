/** Which environment variables the processes of the suite get. */
import type { Secrets } from "../secrets.ts";
import type { Backend } from "../suite.ts";

/** Services behind the gateway. */
export const upstreams = ["configs", "capture", "access", "ciq", "mcp", "audit"] as const;

/** Services without an API: they work in the background. */
export const workers = ["trust-scorer"] as const;

/** All of them. */
export const services = [...upstreams, ...workers, "gateway"] as const;

export type Upstream = (typeof upstreams)[number];
export type ServiceName = (typeof services)[number];
/** Where each service answers, without a slash at the end. */
export type Addresses = Readonly<Record<ServiceName, string>>;

/** The variables of this process without those of npm and of the first credential, which no service needs. */
export const inherited = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) => !/^(npm_|BOOTSTRAP_|IKG_HOME$|INIT_CWD$)/.test(name)),
  );

/** What configs, its bootstrap command and every other service need to know about the databases. */
export const backendVariables = (backend: Backend): NodeJS.ProcessEnv => ({
  NEO4J_URI: backend.neo4j.uri,
  NEO4J_USERNAME: backend.neo4j.username,
  NEO4J_PASSWORD: backend.neo4j.password,
  REDIS_URL: backend.redisUrl,
});

/** Which secrets a service gets: the key of the internal context, and those that it alone works with. */
export const secretsOf = (name: ServiceName, secrets: Secrets): NodeJS.ProcessEnv => {
  const INTERNAL_CONTEXT_KEY = secrets.internal_context_key;
  const CREDENTIAL_PEPPER = secrets.credential_pepper;
  if (name === "gateway") return { INTERNAL_CONTEXT_KEY, CREDENTIAL_PEPPER };
  const CONFIG_ENCRYPTION_KEY = secrets.config_encryption_key;
  if (name === "configs") return { INTERNAL_CONTEXT_KEY, CREDENTIAL_PEPPER, CONFIG_ENCRYPTION_KEY };
  // They ask issuers and databases of projects, with the credentials that configs sealed.
  return { INTERNAL_CONTEXT_KEY, CONFIG_ENCRYPTION_KEY };
};

/** Addresses of the other services, for the gateway and the mcp service. */
export const upstreamVariables = (addresses: Addresses): NodeJS.ProcessEnv =>
  Object.fromEntries(upstreams.map((name) => [`UPSTREAM_${name.toUpperCase()}`, addresses[name]]));

/** Under which address clients reach the gateway; set by the person where something stands before it. */
export const publicUrl = (gatewayPort: number): string =>
  process.env["PUBLIC_URL"] || `http://127.0.0.1:${gatewayPort}`;

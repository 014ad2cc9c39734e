/** Which environment variables the processes of the suite get. */
import type { Secrets } from "../secrets.ts";
import { publicKeyOf } from "../signing-keys.ts";
import type { Backend } from "../suite.ts";
import { redisUrlOf } from "../stores/redis-users.ts";
import { type ServiceName, upstreams } from "./service-names.ts";

/** Where each service answers, without a slash at the end. */
export type Addresses = Readonly<Record<ServiceName, string>>;

/**
 * The variables of this process without those of npm and of the first credential, which no service needs, and those of TLS
 * between services, which reach each other on this machine.
 */
export const inheritEnvironment = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).filter(
      ([name]) => !/^(npm_|BOOTSTRAP_|INTERNAL_TLS_|IKG_HOME$|INIT_CWD$)/.test(name),
    ),
  );

/** What configs, its bootstrap command and every other service need to know about the databases. */
export const backendVariables = (backend: Backend): NodeJS.ProcessEnv => ({
  NEO4J_URI: backend.neo4j.uri,
  NEO4J_USERNAME: backend.neo4j.username,
  NEO4J_PASSWORD: backend.neo4j.password,
  REDIS_URL: backend.redisUrl,
});

/** The same for one service: an embedded Redis knows it by a user of its own. */
export const storesOf = (name: ServiceName, backend: Backend, secrets: Secrets): NodeJS.ProcessEnv => ({
  ...backendVariables(backend),
  REDIS_URL: redisUrlOf(name, backend.redisUrl, secrets.redis_password),
});

/** The keys by which callers are known, and those of what they carry, by the names that settings have. */
export const keysOfDeployment = (secrets: Secrets) => ({
  GATEWAY_SIGNING_KEY: secrets.gateway_signing_key,
  GATEWAY_PUBLIC_KEYS: publicKeyOf(secrets.gateway_signing_key),
  MCP_SIGNING_KEY: secrets.mcp_signing_key,
  MCP_PUBLIC_KEYS: publicKeyOf(secrets.mcp_signing_key),
  TOKEN_SEALING_KEY: secrets.token_sealing_key,
  CREDENTIAL_PEPPER: secrets.credential_pepper,
  CONFIG_ENCRYPTION_KEY: secrets.config_encryption_key,
});

type KeyName = keyof ReturnType<typeof keysOfDeployment>;

/**
 * Which keys a service gets: those that it works with. Private keys are the gateway's and mcp's alone; services that ask
 * issuers and databases of projects open the credentials that configs sealed.
 */
export const keysOfService: Readonly<Record<ServiceName, readonly KeyName[]>> = {
  gateway: ["GATEWAY_SIGNING_KEY", "CREDENTIAL_PEPPER"],
  configs: ["GATEWAY_PUBLIC_KEYS", "CREDENTIAL_PEPPER", "CONFIG_ENCRYPTION_KEY"],
  capture: ["GATEWAY_PUBLIC_KEYS", "TOKEN_SEALING_KEY", "CONFIG_ENCRYPTION_KEY"],
  access: ["GATEWAY_PUBLIC_KEYS", "MCP_PUBLIC_KEYS", "TOKEN_SEALING_KEY", "CONFIG_ENCRYPTION_KEY"],
  ciq: ["GATEWAY_PUBLIC_KEYS", "MCP_PUBLIC_KEYS", "TOKEN_SEALING_KEY", "CONFIG_ENCRYPTION_KEY"],
  mcp: ["GATEWAY_PUBLIC_KEYS", "MCP_SIGNING_KEY", "TOKEN_SEALING_KEY", "CONFIG_ENCRYPTION_KEY"],
  "trust-scorer": ["CONFIG_ENCRYPTION_KEY"],
  audit: ["GATEWAY_PUBLIC_KEYS", "CONFIG_ENCRYPTION_KEY"],
};

/** The keys of a service; all others are unset, whatever the environment of this process holds. */
export const secretsOf = (name: ServiceName, secrets: Secrets): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(keysOfDeployment(secrets)).map(([key, value]) => [
      key,
      keysOfService[name].some((own) => own === key) ? value : undefined,
    ]),
  );

/** Addresses of the other services, for the gateway and the mcp service. */
export const upstreamVariables = (addresses: Addresses): NodeJS.ProcessEnv =>
  Object.fromEntries(upstreams.map((name) => [`UPSTREAM_${name.toUpperCase()}`, addresses[name]]));

/** Under which address clients reach the gateway; set by the person where something stands before it. */
export const publicUrl = (gatewayPort: number): string =>
  process.env["PUBLIC_URL"] || `http://127.0.0.1:${gatewayPort}`;

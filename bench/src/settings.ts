/** Where the suite under measurement is: `environment.json`, and what the services behind the gateway need. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** An error that the user of the benchmark can fix; shown without a stack. */
export class UserError extends Error {}

export interface Target {
  readonly gateway: string;
  readonly access: string;
  /** undefined when not set: only measurements without the gateway need it */
  readonly capture: string | undefined;
  readonly ciq: string | undefined;
  readonly organizationId: string;
  readonly serviceAccountToken: string;
  readonly neo4j: { readonly uri: string; readonly username: string; readonly password: string };
  readonly redisUrl: string;
  /** private key by which the gateway signs internal contexts: PKCS #8 in base64 */
  readonly gatewaySigningKey: string;
  /** key that seals tokens, as base64: for services of the measurement's own */
  readonly tokenSealingKey: string;
  /** key of the hashes under which credentials are stored, as base64: for a gateway of the measurement's own */
  readonly credentialPepper: string;
  /** key that seals secrets of records, as base64; undefined when not set: only measurements that start a service need it */
  readonly configEncryptionKey: string | undefined;
  /** where `npm start` notes its processes, one `<name>.json` with a `pid` each */
  readonly processes: string;
}

type Variables = Readonly<Record<string, string | undefined>>;
type Json = Readonly<Record<string, unknown>>;

const readJson = (file: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Json) : undefined; // an object, checked
  } catch {
    return undefined;
  }
};

const member = (json: Json | undefined, name: string): string | undefined => {
  const value = json?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/**
 * Reads `IKG_ENVIRONMENT`. The address of the access service comes from `UPSTREAM_ACCESS` or `services.access` of
 * that file, the keys from `GATEWAY_SIGNING_KEY`, `TOKEN_SEALING_KEY` and `CREDENTIAL_PEPPER` or `secrets.json` beside it.
 *
 * @throws UserError naming what is missing
 */
export const readTarget = (variables: Variables): Target => {
  const file = variables["IKG_ENVIRONMENT"] ?? ".ikg/environment.json";
  const environment = readJson(file);
  if (environment === undefined)
    throw new UserError(`No suite runs at ${file}. "npm run bench" starts one of its own.`);
  const need = (name: string): string => {
    const value = member(environment, name);
    if (value === undefined) throw new UserError(`${file} has no ${name}.`);
    return value;
  };
  const services = environment["services"];
  const access =
    variables["UPSTREAM_ACCESS"] ??
    (typeof services === "object" && services !== null ? member(services as Json, "access") : undefined); // checked
  const secrets = readJson(join(dirname(file), "secrets.json"));
  const keyOf = (variable: string): string | undefined =>
    variables[variable] ?? member(secrets, variable.toLowerCase());
  const needKey = (variable: string): string => {
    const value = keyOf(variable);
    if (value === undefined) throw new UserError(`${variable} is not set: a key in base64.`);
    return value;
  };
  if (access === undefined)
    throw new UserError("UPSTREAM_ACCESS is not set: the address of the access service.");
  return {
    gateway: need("base_url"),
    access,
    capture: variables["UPSTREAM_CAPTURE"],
    ciq: variables["UPSTREAM_CIQ"],
    organizationId: need("organization_id"),
    serviceAccountToken: need("service_account_token"),
    neo4j: {
      uri: need("neo4j_uri"),
      username: need("neo4j_username"),
      password: need("neo4j_password"),
    },
    redisUrl: need("redis_url"),
    gatewaySigningKey: needKey("GATEWAY_SIGNING_KEY"),
    tokenSealingKey: needKey("TOKEN_SEALING_KEY"),
    credentialPepper: needKey("CREDENTIAL_PEPPER"),
    configEncryptionKey: keyOf("CONFIG_ENCRYPTION_KEY"),
    processes: join(dirname(file), "run"),
  };
};

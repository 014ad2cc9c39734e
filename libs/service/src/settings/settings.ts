import { inputParamModes, valueModes } from "@ikg/audit";
import { z } from "zod";
import { redisAddress } from "../redis/redis-address.ts";
import { StartError } from "../process/start-error.ts";

const portFault = { error: "integer from 0 to 65535 expected" };

/** A TCP port; 0 lets the system choose one. */
const port = () => z.coerce.number(portFault).int(portFault).min(0, portFault).max(65_535, portFault);

/** Exactly 32 bytes in base64, as a key for HMAC or AES-256. There is no default key anywhere. */
export const secretKey = (description: string) =>
  z
    .string({ error: "required" })
    .transform((text) => Buffer.from(text, "base64"))
    .refine((bytes) => bytes.length === 32, {
      error: "32 bytes in base64 expected (openssl rand -base64 32)",
    })
    .meta({ secret: true, description });

/** Several 32-byte keys in base64, separated by commas; none when unset. */
export const secretKeys = (description: string) =>
  z
    .string()
    .default("")
    .transform((text) =>
      text === "" ? [] : text.split(",").map((each) => Buffer.from(each.trim(), "base64")),
    )
    .refine((keys) => keys.every((key) => key.length === 32), {
      error: "keys of 32 bytes in base64 expected, separated by commas",
    })
    .meta({ secret: true, description });

/** `true` or `false`. */
export const flag = (byDefault: boolean, description: string) =>
  z
    .enum(["true", "false"], { error: "true or false expected" })
    .default(byDefault ? "true" : "false")
    .transform((text) => text === "true")
    .meta({ description });

/** `true` or `false`, or undefined when not set. */
export const optionalFlag = (description: string) =>
  z
    .enum(["true", "false"], { error: "true or false expected" })
    .transform((text) => text === "true")
    .optional()
    .meta({ description });

/** An integer between two bounds. */
export const integer = (min: number, max: number, byDefault: number, description: string) =>
  z.coerce
    .number({ error: "integer expected" })
    .int({ error: "integer expected" })
    .min(min, { error: `at least ${min} expected` })
    .max(max, { error: `at most ${max} expected` })
    .default(byDefault)
    .meta({ description });

const address = (protocol: RegExp, expected: string) =>
  z.string({ error: "required" }).refine((text) => URL.canParse(text) && protocol.test(text), {
    error: `${expected} expected`,
  });

const httpAddress = () =>
  address(/^https?:\/\//, "http:// or https:// URL").transform((text) => text.replace(/\/+$/, ""));

/** An http or https address of another service. */
export const httpUrl = (description: string) => httpAddress().meta({ description });

/** Levels of the log, the most severe first. */
export const logLevels = ["error", "warn", "info", "http", "debug"] as const;

/** Settings that every service has. Services extend them with their own. */
export const BaseSettings = z.object({
  PORT: port().meta({ description: "Port of the HTTP server; 0 lets the system choose." }),
  HOST: z.string().default("127.0.0.1").meta({ description: "Address that the servers listen on." }),
  METRICS_PORT: port()
    .optional()
    .meta({ description: "Port of GET /metrics and of /log-level, for operators alone; closed when unset." }),
  METRICS_PROJECTS: integer(
    0,
    10_000,
    50,
    "Projects with series of their own in the metrics `ikg_project_*`, those that are used most; all others share one.",
  ),
  LOG_LEVEL: z
    .enum(logLevels)
    .default("http")
    .meta({ description: "Lowest level that is logged; `http` is one line per request." }),
  SLOW_STATEMENT_MS: integer(
    0,
    600_000,
    1_000,
    "Statements slower than this are logged with their plan, in ms; 0 disables it.",
  ),
  NEO4J_URI: address(/^(?:bolt|neo4j)(?:\+s|\+ssc)?:\/\//, "bolt:// or neo4j:// URL").meta({
    description: "Address of the shared Neo4j database.",
  }),
  NEO4J_USERNAME: z.string().default("neo4j").meta({ description: "User of the shared database." }),
  NEO4J_PASSWORD: z
    .string({ error: "required" })
    .meta({ secret: true, description: "Password of that user." }),
  NEO4J_DATABASE: z.string().default("neo4j").meta({ description: "Name of the shared database." }),
  NEO4J_POOL_SIZE: integer(1, 1000, 100, "Connections to the shared database at most."),
  NEO4J_HEAVY_STATEMENTS: integer(
    0,
    1000,
    0,
    "Statements of projects that take longer than 100 ms, at once and in all processes while several projects are active; the gateway forwards requests of a project by the same number (docs/scaling.md). 0: half the processors of this machine. At most one for each GB of the heap of the database: docs/scaling.md.",
  ),
  NEO4J_QUEUE_LENGTH: integer(
    1,
    100_000,
    2_000,
    "Statements of one project that wait for their turn at most.",
  ),
  NEO4J_QUEUE_MS: integer(
    1,
    600_000,
    10_000,
    "How long a statement waits for its turn at most, in ms; background statements wait as long as they may run.",
  ),
  REDIS_URL: z
    .string({ error: "required" })
    .refine((text) => redisAddress(text) !== undefined, {
      error: "redis://, rediss:// or redis+sentinel:// URL expected",
    })
    .meta({
      secret: true,
      description:
        "Redis for change announcements, queues and shared caches: `redis://`, `rediss://`, or `redis+sentinel://host:port,host:port/name`; may hold a password.",
    }),
  PUBLIC_URL: httpAddress()
    .default("http://127.0.0.1:8080")
    .meta({ description: "Address under which clients reach the gateway." }),
  AUDIT_RECORDS: flag(true, "Records what happens; see docs/audit.md."),
  AUDIT_INPUT_PARAMS: z
    .enum(inputParamModes, { error: "values, hashes or none expected" })
    .default("values")
    .meta({ description: "What records keep of input parameters: `values`, `hashes` or `none`." }),
  AUDIT_VALUES: z.enum(valueModes, { error: "names or full expected" }).default("names").meta({
    description: "What records keep of captured properties: `names`, or `full` for values as well.",
  }),
  AUDIT_DEADLINE_MS: integer(1, 10_000, 250, "How long a response waits for its record at most, in ms."),
  MAX_CONNECTIONS: integer(
    1,
    1_000_000,
    8_192,
    "Connections that the HTTP server keeps at one time. Beyond, idle ones without an accepted credential are closed first, then idle ones of an address that has more than an eighth of all; then new ones get 503.",
  ),
  BODY_BYTES: integer(
    1,
    1_000_000_000_000,
    64 * 1024 * 1024,
    "Bytes of request bodies over 16 KiB that are processed at one time. Further ones wait 4 s, then get 503.",
  ),
  BODY_BYTES_PER_PROJECT: integer(
    1,
    1_000_000_000_000,
    32 * 1024 * 1024,
    "The same of one project, or of an organization where service accounts call: then 429. All projects of an organization have three quarters of the whole.",
  ),
  BODY_BYTES_PER_SECOND: integer(
    1,
    1_000_000_000_000,
    8 * 1024 * 1024,
    "Bytes of request bodies over 64 KiB that are processed in a second while several projects send requests; one project gets half, one organization three quarters. Further ones wait 4 s, then get 429, or 503 where other projects use the rest.",
  ),
  START_TIMEOUT_SECONDS: integer(
    1,
    600,
    60,
    "A start fails when the stores are not reachable within this time.",
  ),
  DRAIN_SECONDS: integer(0, 600, 10, "How long a stopping process waits for running requests."),
  CLOSE_SECONDS: integer(
    0,
    600,
    8,
    "Maximum time after that to close connections and background work. Unfinished work is left to another process.",
  ),
  DRAIN_DELAY_MS: integer(0, 60_000, 250, "Time between `not ready` and the end of accepting connections."),
});

export type BaseSettings = z.output<typeof BaseSettings>;

/**
 * The settings of `connectGraph`, from those of a service.
 *
 * @param statementClass what the statements of projects are for, where the service does not state it per statement.
 */
export const graphSettings = <C extends string = never>(settings: BaseSettings, statementClass?: C) => ({
  uri: settings.NEO4J_URI,
  username: settings.NEO4J_USERNAME,
  password: settings.NEO4J_PASSWORD,
  database: settings.NEO4J_DATABASE,
  poolSize: settings.NEO4J_POOL_SIZE,
  statementClass,
  heavyStatements: settings.NEO4J_HEAVY_STATEMENTS === 0 ? undefined : settings.NEO4J_HEAVY_STATEMENTS,
  queueLength: settings.NEO4J_QUEUE_LENGTH,
  queueMs: settings.NEO4J_QUEUE_MS,
});

/** A comma-separated list. */
const listOf = (description: string) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()])))
    .meta({ description });

/** Settings of the services that verify bearer tokens or call addresses that come from records. */
export const EgressSettings = z.object({
  EGRESS_ALLOW_HTTP: flag(false, "Lets calls to addresses from records use http besides https."),
  EGRESS_ALLOW_HOSTS: listOf("Host names that may be called although they look internal."),
  EGRESS_ALLOW_CIDRS: listOf("Address ranges that may be called although they are not public."),
  TOKEN_CLOCK_SKEW_SECONDS: integer(0, 600, 60, "How far an issuer's clock may be off."),
});

/** Settings of the services that accept requests from any caller. */
export const RefusalSettings = z.object({
  AUDIT_REFUSAL_SECONDS: integer(
    1,
    3_600,
    60,
    "Seconds: equal refusals of one credential from one address leave a record at once, and then one record for each such period.",
  ),
});

/** Settings of the processes that connect to projects' own databases. */
export const OwnDatabaseSettings = z.object({
  DB_ALLOW_HOSTS: listOf(
    "Host names of projects' own databases that are allowed although they look internal.",
  ),
  DB_ALLOW_CIDRS: listOf("Address ranges of projects' own databases that are allowed although not public."),
});

/** Where projects' own databases may be. */
export const databaseHosts = (settings: z.output<typeof OwnDatabaseSettings>) => ({
  allowHosts: settings.DB_ALLOW_HOSTS,
  allowCidrs: settings.DB_ALLOW_CIDRS,
});

/** Settings of the services that work on the graphs of projects: they open what the configs service sealed. */
export const ProjectSettings = z.object({
  CONFIG_ENCRYPTION_KEY: secretKey("Opens secrets of records; the same as that of configs."),
  CONFIG_ENCRYPTION_FORMER_KEYS: secretKeys("Keys that sealed before and still open, separated by commas."),
  CATALOG_BYTES: integer(
    10_000_000,
    100_000_000_000,
    256_000_000,
    "Bytes of memory for the policies, queries and resolvers of projects; the organization that holds most gives up projects first.",
  ),
  ...OwnDatabaseSettings.shape,
});

/** One row of the settings table: docs/settings.md is made of these. */
export interface SettingRow {
  readonly name: string;
  readonly required: boolean;
  /** Text of the default; empty when there is none. */
  readonly default: string;
  readonly secret: boolean;
  readonly description: string;
}

/** The default as it would be written; several values are separated by commas. */
const textOf = (value: unknown): string => (value instanceof Set ? [...value].join(",") : String(value));

/** What is registered of a field, or of what it wraps: `.optional()` makes a field of its own. */
const metaOf = (field: z.core.$ZodType): z.core.GlobalMeta =>
  z.globalRegistry.get(field) ?? (field instanceof z.ZodOptional ? metaOf(field.unwrap()) : {});

/** The settings of a schema as rows, in the order of the schema. */
export const settingRows = (schema: z.ZodObject): SettingRow[] =>
  Object.entries(schema.shape).map(([name, field]) => {
    const meta = metaOf(field);
    const byDefault = z.safeParse(field, undefined);
    const known = byDefault.success && byDefault.data !== undefined;
    return {
      name,
      required: !byDefault.success,
      default: known ? textOf(byDefault.data) : "",
      secret: meta["secret"] === true,
      description: meta.description ?? "",
    };
  });

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of a service from the environment. An empty variable counts as unset. With
 * `--print-settings` on the command line prints them, secrets masked, and ends the process.
 *
 * @throws StartError with one line per faulty variable; values are not repeated.
 */
export const readSettings = <S extends z.ZodObject>(
  schema: S,
  env: Environment = process.env,
): z.output<S> => {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = env[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  if (process.argv.includes("--print-settings")) {
    process.stdout.write(printedSettings(schema, given));
    process.exit(0);
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new StartError(
    result.error.issues.map((issue) => {
      const name = String(issue.path[0] ?? "settings");
      return `${name}: ${given[name] === undefined ? "required but not set" : issue.message}`;
    }),
  );
};

const printedSettings = (schema: z.ZodObject, given: Environment): string =>
  settingRows(schema)
    .map((row) => {
      const value = given[row.name] ?? row.default;
      const shown = row.secret && value !== "" ? "********" : value === "" ? "(not set)" : value;
      return `${row.name.padEnd(28)} ${shown}\n`;
    })
    .join("");

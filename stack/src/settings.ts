/** Settings from environment variables and options. */
import { UserError } from "../launch/user-error.mjs";

/** A database of the person's own. */
export interface OwnNeo4j {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
}

export interface StackSettings {
  readonly home: string;
  readonly port: number;
  /** undefined: the embedded one */
  readonly neo4j: OwnNeo4j | undefined;
  /** for tests of projects that bring a database; undefined: an embedded one, unless `neo4j` is the person's own */
  readonly secondNeo4j?: OwnNeo4j;
  /** undefined: the embedded one */
  readonly redisUrl: string | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new UserError(`PORT is "${text}"; it must be a number from 1 to 65535.`);
  return port;
};

const parseNeo4j = (variables: Variables): OwnNeo4j | undefined => {
  const { NEO4J_URI: uri, NEO4J_USERNAME: username, NEO4J_PASSWORD: password } = variables;
  if (!uri) return undefined;
  if (!/^(bolt|neo4j)(\+s|\+ssc)?:\/\//.test(uri))
    throw new UserError(`NEO4J_URI is not an address of Neo4j; it must start with bolt:// or neo4j://.`);
  if (password === undefined)
    throw new UserError(
      "NEO4J_URI is set and NEO4J_PASSWORD is not; set both, or neither for the embedded Neo4j.",
    );
  return { uri, username: username || "neo4j", password };
};

const parseRedis = (variables: Variables): string | undefined => {
  const { REDIS_URL: url } = variables;
  if (!url) return undefined;
  if (!/^rediss?:\/\//.test(url))
    throw new UserError("REDIS_URL is not an address of Redis; it must start with redis://.");
  return url;
};

/** @throws UserError naming the variable that cannot be used */
export const readStackSettings = (variables: Variables): StackSettings => ({
  home: variables["IKG_HOME"] || ".ikg",
  port: parsePort(variables["PORT"] || "8080"),
  neo4j: parseNeo4j(variables),
  redisUrl: parseRedis(variables),
});

/** Settings of the servers of this measurement; passed by the environment, since they are separate processes. */
import type { Target } from "../settings.ts";

export interface ServerSettings {
  readonly uri: string;
  readonly username: string;
  readonly password: string;
  /** key of the project in the graph */
  readonly pk: string;
}

export const toVariables = ({ neo4j }: Target, pk: string): Readonly<Record<string, string>> => ({
  NEO4J_URI: neo4j.uri,
  NEO4J_USERNAME: neo4j.username,
  NEO4J_PASSWORD: neo4j.password,
  PROJECT_KEY: pk,
});

const need = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

/** @throws Error naming what is missing */
export const readServerSettings = (): ServerSettings => ({
  uri: need("NEO4J_URI"),
  username: need("NEO4J_USERNAME"),
  password: need("NEO4J_PASSWORD"),
  pk: need("PROJECT_KEY"),
});

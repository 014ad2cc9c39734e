import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { readEnvironment } from "../../../stack/src/environment.ts";
import { openHome } from "../../../stack/src/home.ts";
import {
  createScratchOrganization,
  type ScratchOrganization,
} from "../../../stack/src/stores/scratch-organization.ts";
import type { ServiceName } from "../../../stack/src/services/service-names.ts";
import { publicUrl, secretsOf, storesOf } from "../../../stack/src/services/variables.ts";
import { readOrMakeSecrets } from "../../../stack/src/secrets.ts";
import { startServiceProcess } from "../../../stack/src/testing/servers/service-process.ts";
import { environment } from "../environment.ts";

/** What the processes of the suite were started with, which a second one of the same deployment needs as well. */
const read = () => {
  const { base_url } = environment();
  const file = process.env["IKG_ENVIRONMENT"] ?? "";
  const home = openHome(dirname(file));
  const known = readEnvironment(file);
  if (known === undefined || !existsSync(home.secretsFile))
    throw new Error(
      `no secrets beside ${file}: this test starts processes of its own beside a suite on this machine`,
    );
  const { neo4j_uri: uri, neo4j_username: username, neo4j_password: password, redis_url: redisUrl } = known;
  return {
    url: base_url,
    secrets: readOrMakeSecrets(home),
    backend: { neo4j: { uri, username, password }, redisUrl },
  };
};

/** Host and port of the Neo4j under the suite. */
export const databaseAddress = (): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(read().backend.neo4j.uri);
  return { host: hostname, port: Number(port || 7687) };
};

/** The variables that have a value. */
const given = (variables: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

export interface Process {
  readonly port: number;
  /** What it has written so far. */
  output(): string;
  /** Resident memory in megabytes. Linux only. */
  residentMb(): number;
  stop(): Promise<void>;
}

/** Settings of a service process for the databases of the suite, with the secrets of the suite. */
export const backendSettings = (name: ServiceName): Readonly<Record<string, string>> => {
  const { secrets, backend } = read();
  return { ...given(storesOf(name, backend, secrets)), ...given(secretsOf(name, secrets)) };
};

/** Starts one more process of a service on the databases of the suite, with settings of its own. */
export const startBeside = async (
  name: ServiceName,
  settings: Readonly<Record<string, string>>,
): Promise<Process> => {
  const { port, running } = await startServiceProcess(name, { ...backendSettings(name), ...settings });
  return {
    port,
    output: () => running.output(),
    residentMb: () => running.residentMb(),
    stop: () => running.end(),
  };
};

/** Another organization in the databases of the suite; no URL makes one. */
export const createOrganization = async (): Promise<ScratchOrganization> => {
  const { url, secrets, backend } = read();
  return createScratchOrganization({
    backend,
    pepper: secrets.credential_pepper,
    publicUrl: publicUrl(Number(new URL(url).port)),
  });
};

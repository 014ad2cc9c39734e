/** The end-to-end tests against a suite that runs in containers. */
import { say } from "../../launch/progress.mjs";
import type { Home } from "../home.ts";
import { backendVariables, inheritEnvironment } from "../services/variables.ts";
import { runEndToEnd } from "../testing/runner/end-to-end.ts";
import { runMocha } from "../testing/runner/mocha.ts";
import type { Summary } from "../testing/runner/report.ts";
import { reportSkipped } from "../testing/runner/retry.ts";
import type { Environment } from "../environment.ts";

/** Files that start stores of their own on this machine, where no container looks for them. */
const ownStores = "it starts a Neo4j or Redis of its own for processes on this machine; npm test runs it";
const left: ReadonlyMap<string, string> = new Map([
  ["e2e/test/isolation/own-database.test.ts", ownStores],
  ["e2e/test/ciq/ciq-locations-own-database.test.ts", ownStores],
  ["e2e/test/operations/database-killed.long.alone.test.ts", ownStores],
  ["e2e/test/operations/two-of-each.long.alone.test.ts", ownStores],
  ["e2e/test/neighbours/database-memory.long.alone.test.ts", ownStores],
  [
    "e2e/test/operations/log-level.test.ts",
    "it asks the metrics ports of processes on this machine; npm test runs it",
  ],
]);

/** A suite whose processes are not of this machine. */
export interface RemoteSuite {
  readonly environment: Environment;
  /** The address of this machine under which it reaches what tests start here. */
  readonly testHost: string;
  readonly signal: AbortSignal;
}

/** Runs those of `files` that fit; the others are skipped, each with its reason. */
export const runPack = async (
  home: Home,
  { environment, testHost, signal }: RemoteSuite,
  files: readonly string[],
  testName: RegExp | undefined,
): Promise<Summary> => {
  for (const file of files) if (left.has(file)) say(`skipped: ${file}: ${left.get(file)}`);
  const backend = {
    neo4j: {
      uri: environment.neo4j_uri,
      username: environment.neo4j_username,
      password: environment.neo4j_password,
    },
    redisUrl: environment.redis_url,
  };
  const env = {
    ...inheritEnvironment(process.env),
    ...backendVariables(backend),
    IKG_ENVIRONMENT: home.environmentFile,
    IKG_TEST_HOST: testHost,
  };
  const fitting = files.filter((file) => !left.has(file));
  const summary = await runEndToEnd(fitting, (chosen, processes) =>
    runMocha({ files: chosen, testName, processes, folder: home.root, signal, env }),
  );
  reportSkipped(summary);
  return summary;
};

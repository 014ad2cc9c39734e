/** A Neo4j that runs out of memory exits, is restarted, and has every acknowledged write. */
import type { Environment } from "../../environment.ts";
import { exhaustHeap } from "../servers/exhaust-heap.ts";
import { makeLoadProject, removeLoadProject } from "./load.ts";
import { countRefused, describeOutage, isConsistent, type Outage, watchOutage } from "./outage.ts";

/** From the end of the server, which Java decides on while it still looks for memory, to the last refused request. */
const backWithinMs = 30_000;
const exhaustedWithinMs = 120_000;

/** Takes the memory of the suite's Neo4j away under load. */
export const exhaustDatabase = async (environment: Environment): Promise<Outage> => {
  const { neo4j_uri: uri, neo4j_username: username, neo4j_password: password } = environment;
  const project = await makeLoadProject(environment, "memory");
  const outage = await watchOutage(environment, project, () =>
    exhaustHeap({ uri, username, password }, exhaustedWithinMs),
  );
  await removeLoadProject(environment, project);
  return outage;
};

/** Without a refused request the database has not run out of memory. */
export const hasRecovered = (outage: Outage): boolean =>
  countRefused(outage) > 0 && outage.recoveryMs < backWithinMs && isConsistent(outage);

export const describeRecovery = (outage: Outage): string =>
  `at most ${backWithinMs / 1_000} s from the end of the server: ${describeOutage(outage)}`;

/** Processes of a suite that was killed before it could end them. */
import { isAlive } from "../../launch/identity.mjs";
import type { Home } from "../home.ts";
import { endProcess } from "./end.ts";
import { readRecords, removeRecord } from "./record.ts";

/** What must have ended before what: the gateway, the services, then what they use. */
const last = new Set(["neo4j", "redis"]);

/** Ends them in the order of a stop; returns the names of those that were still running. */
export const endOrphans = async (home: Home): Promise<string[]> => {
  const records = readRecords(home);
  const running = records.filter(({ identity }) => isAlive(identity));
  const isLast = ({ name }: { name: string }) => last.has(name);
  for (const phase of [running.filter((record) => !isLast(record)), running.filter(isLast)])
    await Promise.all(phase.map(({ identity }) => endProcess(identity, 30_000)));
  for (const { name } of records) removeRecord(home, name);
  return running.map(({ name }) => name);
};

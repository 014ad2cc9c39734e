import { type ServiceName, serviceNames, type SuiteStatus } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { parseEntry, type ReplicaEntry, replicasKey } from "./replica-entry.ts";

/** Seconds without a report after which a process counts as unreachable: three of them are missing. */
const silentSeconds = 15;
/** Seconds after which one that did not end is ignored: most likely another process has taken its place. */
const lostSeconds = 60;

/** Services that no installation goes without. */
const required: ReadonlySet<ServiceName> = new Set(["gateway", "configs", "capture", "access", "ciq"]);

/** The second of Redis' clock, and the members of the sorted set with their seconds, ascending. */
const read = `return { redis.call('TIME')[1], redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES') }`;

/** A report and how many seconds ago it was made. */
interface Report {
  readonly entry: ReplicaEntry;
  readonly age: number;
}

/** @param members texts of reports, each followed by its second, ascending. */
const reportsOf = (now: number, members: readonly string[]): readonly Report[] => {
  // The newest one of each process: a report whose answer was lost may have left a former one.
  const newest = new Map<string, Report>();
  for (let at = 0; at + 1 < members.length; at += 2) {
    const entry = parseEntry(members[at] ?? "");
    if (entry !== undefined) newest.set(entry.id, { entry, age: now - Number(members[at + 1]) });
  }
  return [...newest.values()].toSorted((one, other) => (one.entry.id < other.entry.id ? -1 : 1));
};

/**
 * What reports say of the suite.
 *
 * @param now seconds by the clock that the reports have their times from.
 */
export const suiteStatus = (now: number, members: readonly string[]): SuiteStatus => {
  const byService = Map.groupBy(reportsOf(now, members), ({ entry }) => entry.service);
  const listed = serviceNames.filter((service) => required.has(service) || byService.has(service));
  return {
    services: listed.map((service) => ({
      service,
      replicas: (byService.get(service) ?? [])
        .filter(({ age }) => age <= lostSeconds)
        .map(({ entry: { status, version }, age }) => ({
          status: age > silentSeconds ? "unreachable" : status,
          version,
        })),
    })),
  };
};

/** Reads the reports of the processes of the suite. @throws errors of Redis, also when it is unavailable. */
export const readSuiteStatus = async (redis: Redis): Promise<SuiteStatus> => {
  const [now, members] = (await redis.eval(read, 1, replicasKey)) as [string, string[]]; // as the script returns it
  return suiteStatus(Number(now), members);
};

import type { Driver } from "neo4j-driver";
import { memberOf } from "./driver-members.ts";
import type { Connections } from "../types.ts";

const none: Connections = { inUse: 0, idle: 0, waiting: 0 };

/** Sum over the servers that a driver is connected to. */
const sumOf = (value: unknown, count: (each: unknown) => unknown): number => {
  if (!(value instanceof Object)) return 0;
  return Object.values(value).reduce<number>((sum, each) => {
    const counted = count(each);
    return sum + (typeof counted === "number" ? counted : 0);
  }, 0);
};

/**
 * The connections of a driver now. It has no public way to say so; a version of it that keeps its pool elsewhere, and one
 * that has served no call yet, has none.
 */
export const connectionsOf = (driver: Driver): Connections => {
  const pool = memberOf(memberOf(driver, "_connectionProvider"), "_connectionPool");
  if (pool === undefined) return none;
  return {
    inUse: sumOf(memberOf(pool, "_activeResourceCounts"), (count) => count),
    idle: sumOf(memberOf(pool, "_pools"), (idle) => memberOf(idle, "length")),
    waiting: sumOf(memberOf(pool, "_acquireRequests"), (requests) => memberOf(requests, "length")),
  };
};

/** The connections of several drivers together. */
export const connectionsOfAll = (drivers: Iterable<Driver>): Connections =>
  [...drivers].map(connectionsOf).reduce(
    (sum, each) => ({
      inUse: sum.inUse + each.inUse,
      idle: sum.idle + each.idle,
      waiting: sum.waiting + each.waiting,
    }),
    none,
  );

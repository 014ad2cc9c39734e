import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Driver } from "neo4j-driver";
import type { Graph } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import { freshKey, openTestGraph, options } from "../graph.ts";
import { openProfiler, profile } from "./hits.ts";
import { dropPark, settle, writePark } from "./park.ts";
import { ciqPolicies, kbacPolicies } from "./policies.ts";
import { type Run, runsOf } from "./statements.ts";

const file = new URL("recorded.json", import.meta.url);

/**
 * Database hits of each statement. They are those of a plan, and the plan depends on what else is in the database and
 * on who writes to it meanwhile, which is why this file runs alone. `UPDATE_WORK=1` records them anew, after a look at why they
 * changed.
 */
const recorded = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>; // as written below

/**
 * More than this much above the recorded work is a worse plan. In a database that was used before, what a plan meets
 * first depends on which places of the store were free, too.
 */
let tolerance = 1.2;
const toleranceWhenUsed = 5;

/** Of the same for two hubs: what is met first may lie somewhat later. */
const slack = 100;

const [hub, tenfold] = [10_000, 100_000];

let graph: Graph;
let driver: Driver;
let park: ProjectKey;
let big: ProjectKey;

beforeAll(async () => {
  // What the parks are written with is not for the vendor's checker.
  graph = openTestGraph(false);
  await graph.prepare();
  const [held] = await graph.shared.write((tx) => tx.run("MATCH (n) RETURN count(n) AS nodes", {}), options);
  if (held?.["nodes"] !== 0) tolerance = toleranceWhenUsed;
  driver = openProfiler();
  [park, big] = [freshKey(), freshKey()];
  await writePark(graph, park, hub);
  await writePark(graph, big, tenfold);
  await settle(graph);
}, 120_000);

afterAll(async () => {
  await dropPark(graph, park);
  await dropPark(graph, big);
  await driver.close();
  await graph.close();
}, 120_000);

const checkDecisions = async (): Promise<void> => {
  const near = /hub|types by|any type|both ends free|nested teams|two hops|CALL/;
  const chosen = (pk: ProjectKey): readonly Run[] =>
    runsOf(pk).filter(({ name }) => name.endsWith(": decision") && near.test(name));
  const grown = chosen(big);
  expect(grown.length).toBeGreaterThan(15);
  const steeper: string[] = [];
  for (const [index, { name, text, params }] of chosen(park).entries()) {
    const other = grown[index];
    if (other === undefined) throw new Error(name);
    const { hits } = await profile(driver, text, params);
    const { hits: after } = await profile(driver, other.text, other.params);
    if (after > hits * tolerance + slack) steeper.push(`${name}: ${hits} hits, then ${after}`);
  }
  expect(steeper).toEqual([]);
};

const checkReads = async (): Promise<void> => {
  for (const name of ["read: hub", "read: one of them by its id", "read: nested teams"]) {
    const [before, after] = await Promise.all(
      [park, big].map(async (pk) => {
        const run = runsOf(pk).find((each) => each.name === name);
        if (run === undefined) throw new Error(name);
        return (await profile(driver, run.text, run.params)).hits;
      }),
    );
    expect({ name, before, after }).toEqual({ name, before, after: expect.any(Number) });
    expect(after).toBeLessThanOrEqual((before ?? 0) * tolerance + slack);
  }
};

describe("database work", () => {
  it("is recorded for 60 policies", () => {
    expect(kbacPolicies.length + ciqPolicies.length).toBe(60);
    expect(new Set([...kbacPolicies, ...ciqPolicies].map(({ name }) => name)).size).toBe(60);
  });

  it("of every statement is what it was", async () => {
    const found: Record<string, number> = {};
    for (const { name, text, params } of runsOf(park))
      found[name] = (await profile(driver, text, params)).hits;
    if (process.env["UPDATE_WORK"] === "1") writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
    else {
      const worse = Object.entries(found).filter(([name, hits]) => hits > (recorded[name] ?? -1) * tolerance);
      expect(worse.map(([name, hits]) => `${name}: ${hits} hits, recorded ${recorded[name]}`)).toEqual([]);
      expect(Object.keys(recorded)).toEqual(Object.keys(found));
    }
  }, 120_000);

  it("of decisions stays flat when the hub that most nodes point to grows tenfold", checkDecisions, 120_000);

  it("of reads through the hub stays flat too", checkReads, 60_000);
});

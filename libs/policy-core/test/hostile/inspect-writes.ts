import { randomInt } from "node:crypto";
import { projectLabel, relationshipFields } from "@ikg/physical";
import { type Finding, type Inspection, maxFindings, outcomeFaults } from "./inspection.ts";
import { runAndRollBack } from "./roll-back.ts";
import { hostileProject, type Outcome } from "./run-accepted.ts";
import type { Run } from "./tenant-digest.ts";
import { type WriteWork, writeWorks, type WritingQuery } from "./write-work.ts";

const own = projectLabel(hostileProject);

/** Everything that a query writes has the time of its request, and nothing else has it. */
const strayTexts = [
  `MATCH (n) WHERE n.update_time = $now AND NOT n:${own} RETURN count(n) AS strays`,
  [
    `MATCH (a)-[r]->(b) WHERE r.${relationshipFields.updateTime} = $now AND NOT (a:${own} AND b:${own})`,
    "RETURN count(r) AS strays",
  ].join("\n"),
];

/** Milliseconds for the look at other tenants: it scans the database, and the machine may be busy. */
const lookMs = 60_000;

/** A time of a request that no other request has. */
export const newTime = (): string => new Date(Date.UTC(2100, 0) + randomInt(2 ** 40)).toISOString();

/** What is wrong with one execution, how it ended, and how many elements it wrote. */
export interface WorkInspection {
  readonly faults: readonly string[];
  readonly end: Outcome["end"];
  readonly writes: number;
}

const notInspected = (error: unknown): string => `could not be inspected: ${String(error)}`;

/**
 * Runs one execution in a transaction that is rolled back. Before that, looks for changes outside of the
 * hostile tenant's project.
 */
export const inspectWork = async (
  inspection: Inspection,
  work: WriteWork,
  now: string,
): Promise<WorkInspection> => {
  const { graph, canary, limitMs } = inspection;
  let before: string;
  try {
    before = await canary.digest();
  } catch (error) {
    // The server may have ended.
    return { faults: [notInspected(error)], end: "failure", writes: 0 };
  }
  const faults: string[] = [];
  const look = async (run: Run): Promise<void> => {
    // The database tries a transaction again after some failures.
    faults.length = 0;
    if ((await canary.digest(run)) !== before) faults.push("changed the data of another tenant");
    for (const text of strayTexts) {
      const [row] = await run(text, { now });
      if (row?.["strays"] !== 0) faults.push("wrote outside of the project");
    }
  };
  const { lookError, ...outcome } = await runAndRollBack(graph, work, look, { limitMs, lookMs });
  if (lookError !== undefined) faults.push(notInspected(lookError));
  return {
    faults: [...faults, ...outcomeFaults(inspection, outcome)],
    end: outcome.end,
    writes: outcome.writes,
  };
};

/** What was found in queries that write, and how many of them were looked at in which way. */
export interface WriteInspection {
  readonly findings: readonly Finding[];
  /** Queries that were run; the database is asked nothing where the values of a query are refused before. */
  readonly queryRuns: number;
  /** Executions of these queries that their time limit did not end. */
  readonly executions: number;
  /** Those that wrote something. */
  readonly writeRuns: number;
}

/**
 * Runs accepted queries that write, in every way in which they are executed.
 *
 * @param most queries that are run; the others are left out
 */
export const inspectWrites = async (
  inspection: Inspection,
  queries: readonly WritingQuery[],
  most: number,
): Promise<WriteInspection> => {
  const findings: Finding[] = [];
  let [queryRuns, executions, writeRuns] = [0, 0, 0];
  for (const query of queries) {
    if (queryRuns >= most || findings.length >= maxFindings) break;
    const now = newTime();
    const works = writeWorks(query, now);
    if (works.length > 0) queryRuns += 1;
    for (const work of works) {
      let found = await inspectWork(inspection, work, now);
      // On a busy machine planning can take all of the time; the statements are planned by now.
      if (found.end === "timeout" && found.faults.length === 0)
        found = await inspectWork(inspection, work, now);
      findings.push(...found.faults.map((fault) => ({ fault, text: `${query.policy}\n${query.query}` })));
      if (found.end !== "timeout") executions += 1;
      if (found.writes > 0) writeRuns += 1;
    }
  }
  return { findings, queryRuns, executions, writeRuns };
};

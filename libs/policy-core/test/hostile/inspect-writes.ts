import { randomInt } from "node:crypto";
import { projectLabel, relationshipFields } from "@ikg/physical";
import { type Finding, type Inspection, maxFindings, outcomeFaults } from "./inspection.ts";
import { runAndRollBack } from "./roll-back.ts";
import { hostileProject } from "./run-accepted.ts";
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

/** A time of a request that no other request has. */
export const newTime = (): string => new Date(Date.UTC(2100, 0) + randomInt(2 ** 40)).toISOString();

/**
 * Runs one execution in a transaction that is rolled back. Before that, looks for changes outside of the
 * hostile tenant's project.
 *
 * @returns what is wrong with it, and how many elements it wrote
 */
export const inspectWork = async (
  inspection: Inspection,
  work: WriteWork,
  now: string,
): Promise<{ readonly faults: readonly string[]; readonly writes: number }> => {
  const { graph, canary, limitMs } = inspection;
  const before = await canary.digest();
  const faults: string[] = [];
  const look = async (run: Run): Promise<void> => {
    if ((await canary.digest(run)) !== before) faults.push("changed the data of another tenant");
    for (const text of strayTexts) {
      const [row] = await run(text, { now });
      if (row?.["strays"] !== 0) faults.push("wrote outside of the project");
    }
  };
  const outcome = await runAndRollBack(graph, work, look, limitMs);
  return { faults: [...faults, ...outcomeFaults(inspection, outcome)], writes: outcome.writes };
};

/**
 * Runs accepted queries that write, in every way in which they are executed.
 *
 * @returns what is wrong with them, and how many executions wrote something
 */
export const inspectWrites = async (
  inspection: Inspection,
  queries: readonly WritingQuery[],
): Promise<{ readonly findings: readonly Finding[]; readonly writeRuns: number }> => {
  const findings: Finding[] = [];
  let writeRuns = 0;
  for (const query of queries) {
    if (findings.length >= maxFindings) break;
    const now = newTime();
    for (const work of writeWorks(query, now)) {
      const { faults, writes } = await inspectWork(inspection, work, now);
      findings.push(...faults.map((fault) => ({ fault, text: `${query.policy}\n${query.query}` })));
      if (writes > 0) writeRuns += 1;
    }
  }
  return { findings, writeRuns };
};

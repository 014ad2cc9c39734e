import type { Printed } from "../sample-policies/statements-of.ts";
import { answerDigest, dependentOn } from "./dependence.ts";
import { type Finding, type Inspection, maxFindings, outcomeFaults } from "./inspection.ts";
import { runAccepted, runMeasured } from "./run-accepted.ts";

/**
 * Runs accepted statements that read, with the largest values, beside the canary tenant, and the fast ones
 * again without it.
 *
 * @returns the statements that failed, took too long, or whose answer holds the canary's values or depends
 *   on them; all of them where its data changed
 */
export const inspectReads = async (
  inspection: Inspection,
  statements: readonly Printed[],
): Promise<readonly Finding[]> => {
  const { graph, canary, limitMs, repeatMs } = inspection;
  const before = await canary.digest();
  const findings: Finding[] = [];
  const answers = new Map<Printed, string>();
  for (const statement of statements) {
    const outcome = await runMeasured(graph, statement, inspection);
    const faults = outcomeFaults(inspection, outcome);
    findings.push(...faults.map((fault) => ({ fault, text: statement.text })));
    if (findings.length >= maxFindings) break;
    if (faults.length === 0 && outcome.ms < repeatMs) answers.set(statement, answerDigest(outcome.rows));
  }
  // The server may have ended.
  if (findings.length > 0) return findings;
  if ((await canary.digest()) !== before) {
    const text = statements.map((statement) => statement.text).join("\n\n");
    return [{ fault: "one of these changed the data of another tenant", text }];
  }
  const dependent = await dependentOn(canary, answers, async (statement) =>
    answerDigest((await runAccepted(graph, statement, limitMs)).rows),
  );
  return dependent.map(({ text }) => ({ fault: "depends on the data of another tenant", text }));
};

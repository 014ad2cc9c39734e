import type { Row } from "@ikg/graph";
import type { Printed } from "../sample-policies/statements-of.ts";
import { answerDigest, dependentOn } from "./dependence.ts";
import { type Finding, type Inspection, maxFindings, outcomeFaults } from "./inspection.ts";
import { type Outcome, runAccepted } from "./run-accepted.ts";
import { runMeasured } from "./run-measured.ts";

/** What was found in statements that read, and how many of them were looked at in which way. */
export interface ReadInspection {
  readonly findings: readonly Finding[];
  /** Statements that were run. */
  readonly runs: number;
  /** Those that answered; a limit or a value ended the others. */
  readonly answers: number;
  /** Those whose answer was compared with the one without the canary tenant. */
  readonly comparisons: number;
}

/** Runs one statement, and once more where its first run, which plans it, does not show that it is fast. */
const inspectRead = async (
  inspection: Inspection,
  statement: Printed,
): Promise<{
  readonly outcome: Outcome & { readonly rows: readonly Row[] };
  readonly faults: readonly string[];
}> => {
  const { graph, limitMs, mostMs, repeatMs } = inspection;
  const first = await runMeasured(() => runAccepted(graph, statement, limitMs), mostMs);
  const faults = outcomeFaults(inspection, first);
  if (faults.length > 0 || first.ms < repeatMs) return { outcome: first, faults };
  const second = await runAccepted(graph, statement, repeatMs);
  return {
    outcome: second.end === "timeout" ? first : second,
    faults: outcomeFaults(inspection, second),
  };
};

/** Statements that changed the data of the canary tenant, or whose answers depend on it. */
const canaryFindings = async (
  { graph, canary, limitMs }: Inspection,
  before: string,
  statements: readonly Printed[],
  digests: ReadonlyMap<Printed, string>,
): Promise<readonly Finding[]> => {
  const all = statements.map((statement) => statement.text).join("\n\n");
  let last: Printed | undefined;
  try {
    if ((await canary.digest()) !== before)
      return [{ fault: "one of these changed the data of another tenant", text: all }];
    const dependent = await dependentOn(canary, digests, async (statement) => {
      last = statement;
      const { rows, error } = await runAccepted(graph, statement, limitMs);
      if (error !== undefined) throw error;
      return answerDigest(rows);
    });
    return dependent.map(({ text }) => ({ fault: "depends on the data of another tenant", text }));
  } catch (error) {
    // The server may have ended: the statement that ran last is as likely the reason as any before it.
    return [{ fault: `the database failed after: ${String(error)}`, text: last?.text ?? all }];
  }
};

/**
 * Runs accepted statements that read, with the largest values, beside the canary tenant, and the fast ones
 * again without it.
 *
 * @returns the statements that failed, took too long, or whose answer holds the canary's values or depends
 *   on them; all of them where its data changed, or where the database failed after the last one
 */
export const inspectReads = async (
  inspection: Inspection,
  statements: readonly Printed[],
): Promise<ReadInspection> => {
  const before = await inspection.canary.digest();
  const findings: Finding[] = [];
  const digests = new Map<Printed, string>();
  let [runs, answers, comparisons] = [0, 0, 0];
  for (const statement of statements) {
    const { outcome, faults } = await inspectRead(inspection, statement);
    runs += 1;
    if (outcome.end === "answer") answers += 1;
    findings.push(...faults.map((fault) => ({ fault, text: statement.text })));
    if (findings.length >= maxFindings) break;
    if (faults.length > 0 || outcome.ms >= inspection.repeatMs) continue;
    digests.set(statement, answerDigest(outcome.rows));
    if (outcome.end === "answer") comparisons += 1;
  }
  // The server may have ended.
  if (findings.length > 0) return { findings, runs, answers, comparisons: 0 };
  return {
    findings: await canaryFindings(inspection, before, statements, digests),
    runs,
    answers,
    comparisons,
  };
};

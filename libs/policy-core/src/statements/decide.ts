import type { ProjectKey } from "@ikg/physical";
import { printTree } from "../cypher/printer.ts";
import type { KbacPolicy } from "../policy/kbac.ts";
import { property } from "../rewrite/build.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import { rowName, rowExpression, type RowSource } from "../rewrite/values.ts";
import { candidateKey, requestKeys } from "../values/row-keys.ts";
import {
  areEnds,
  decisionEnds,
  keyOfEnd,
  needsIdentity,
  rewriteOptions,
  subjectIsIdentity,
  type DecisionSwitches,
} from "./ends.ts";
import { indent, nodeByKey, printClauses } from "./statement.ts";

/** One text that decides for several candidates of a (project, subject type, resource type, action) at once. */
export interface DecideStatement {
  readonly text: string;
  readonly rowSource: RowSource;
  /** The candidates in the order of the CASE: `granted_by` is the index of the first that grants, -1 for none. */
  readonly policies: readonly KbacPolicy[];
}

/** A candidate as it stands in a statement: its `WHEN`, and the clause that it needs before it. */
export interface Candidate {
  readonly when: string;
  /** Stands before the ends are bound: the clause binds them itself. */
  readonly clauseBeforeEnds?: string;
  /** Stands after the ends are bound. */
  readonly clauseAfterEnds?: string;
}

/** Where a candidate stands in a statement. */
interface CandidateSlot {
  readonly pk: ProjectKey;
  readonly rowSource: RowSource;
  readonly index: number;
  readonly switches: DecisionSwitches;
}

/** The candidate's body in a CALL that gives at most one row, where EXISTS cannot hold it. */
const callOf = (
  imports: readonly string[],
  body: readonly string[],
  { rowSource, index }: CandidateSlot,
): string => {
  const names = rowSource === "row" ? [rowName, ...imports] : imports;
  const lines = [...body, `RETURN true AS ${grantedColumn(index)} LIMIT 1`].join("\n");
  return `OPTIONAL CALL (${names.join(", ")}) {\n${indent(lines)}\n}`;
};

const grantedColumn = (index: number): string => `__granted${index}`;

/** A CALL of the text that does not see the ends binds one of them for itself. */
const bindsEndAnew = ({ condition: { analysis } }: KbacPolicy): boolean =>
  [...analysis.report.binders.values()].some(
    ({ alias, isolatedScope }) => isolatedScope && analysis.report.isEndName(alias),
  );

/** How a statement asks one candidate whether it grants the pair that is bound as `subject` and `resource`. */
export const candidateOf = (policy: KbacPolicy, slot: CandidateSlot): Candidate => {
  const { pk, rowSource, index, switches } = slot;
  const { query, analysis } = policy.condition;
  const takesPart = printTree(property(rowExpression(rowSource), candidateKey(index)));
  if (analysis.report.callsBindEnds) {
    // Nothing may be bound before a CALL that returns an end: both are pinned inside, wherever they are bound, and
    // there the rewriting also tests whether the subject must be an identity.
    const text = printClauses(
      rewrite(
        query,
        analysis.report,
        rewriteOptions(policy, pk, rowSource, { bound: [], pinned: decisionEnds }, switches),
      ),
    );
    const body = [
      `WITH 1 AS __one WHERE ${takesPart}`,
      text,
      `WITH * WHERE ${areEnds(decisionEnds, rowSource)}`,
    ];
    return { when: grantedColumn(index), clauseBeforeEnds: callOf([], body, slot) };
  }
  const text = printClauses(
    rewrite(
      query,
      analysis.report,
      rewriteOptions(policy, pk, rowSource, { bound: decisionEnds, pinned: decisionEnds }, switches),
    ),
  );
  const conditions = [takesPart, ...(needsIdentity(policy, switches) ? [subjectIsIdentity] : [])];
  if (analysis.report.aggregates || bindsEndAnew(policy)) {
    // Inside EXISTS the database takes neither an aggregation nor a name of the statement that is bound anew.
    const bound = decisionEnds.map((end) => `${end} IS NOT NULL`);
    const body = [`WITH * WHERE ${[...conditions, ...bound].join(" AND ")}`, text];
    return { when: grantedColumn(index), clauseAfterEnds: callOf(decisionEnds, body, slot) };
  }
  const exists = `EXISTS {\n${indent(`${text}\nRETURN 1 AS __one`)}\n}`;
  return { when: [...conditions, exists].join(" AND ") };
};

/**
 * Prints the decision of several candidates, which all name the same types.
 *
 * Both ends are bound once per row and shared by the candidates; a CASE returns the first that granted. A candidate that
 * aggregates, or whose CALL binds an end, is in a CALL of its own. Every USE is left out: the statement is sent
 * to the database that the route names.
 *
 * @param rowSource `row`: `UNWIND $rows AS __row`, columns `i` and `granted_by`; `plain`: one request in `$__row`.
 *   A row holds `i`, `s` and `r` (keys of the ends), `c0`, `c1`, … (does candidate n take part) and `RowValues`.
 */
export const decideStatement = (
  policies: readonly KbacPolicy[],
  pk: ProjectKey,
  rowSource: RowSource,
  switches: DecisionSwitches = {},
): DecideStatement => {
  const [first] = policies;
  if (first === undefined) throw new Error("a decision needs a candidate");
  const candidates = policies.map((policy, index) => candidateOf(policy, { pk, rowSource, index, switches }));
  const text = [
    ...(rowSource === "row" ? [`UNWIND $rows AS ${rowName}`] : []),
    ...candidates.flatMap((candidate) => candidate.clauseBeforeEnds ?? []),
    `OPTIONAL MATCH ${nodeByKey("subject", first.subjectType, pk, keyOfEnd("subject", rowSource))}`,
    `OPTIONAL MATCH ${nodeByKey("resource", first.resourceType, pk, keyOfEnd("resource", rowSource))}`,
    ...candidates.flatMap(({ clauseAfterEnds: then }) => then ?? []),
    `RETURN ${printTree(property(rowExpression(rowSource), requestKeys.index))} AS i, CASE`,
    indent("WHEN subject IS NULL OR resource IS NULL THEN -1"),
    ...candidates.map(({ when }, index) => indent(`WHEN ${when} THEN ${index}`)),
    "  ELSE -1 END AS granted_by",
  ].join("\n");
  return { text, rowSource, policies };
};

/** True when the candidate can be decided for many requests in one statement. */
export const isBatchable = (policy: KbacPolicy): boolean => !policy.condition.analysis.report.notBatchable;

import { keyField, type ProjectKey } from "@ikg/physical";
import { printTree } from "../cypher/printer.ts";
import type { KbacPolicy } from "../policy/kbac.ts";
import { isRouted } from "../policy/locations.ts";
import { property, variable } from "../rewrite/build.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import { rowName } from "../rewrite/values.ts";
import { candidateKey, finderKey, requestKeys } from "../values/row-keys.ts";
import { candidateOf } from "./decide.ts";
import {
  keyOfEnd,
  needsIdentity,
  rewriteOptions,
  subjectIsIdentity,
  typeTest,
  type DecisionSwitches,
} from "./ends.ts";
import { hasSeveralBinders } from "./search.ts";
import { indent, nodeByKey, printClauses } from "./statement.ts";

/** What the policy says depends on the id of the resource that a call asks about; a statement of many pairs has none. */
const readsResourceId = (policy: KbacPolicy): boolean =>
  [...policy.needs.references.values()].some(
    (reference) => reference.kind === "platform" && reference.name === "resource_external_id",
  );

/**
 * True when all resources that the policy grants a subject can be found from the subject, for many subjects in one
 * statement: nothing in the text depends on which resource is asked about. The others are decided pair by pair.
 */
export const isScannable = (policy: KbacPolicy): boolean => {
  const { report } = policy.condition.analysis;
  return !(
    readsResourceId(policy) ||
    report.callsBindEnds ||
    report.notBatchable ||
    report.cuts ||
    hasSeveralBinders(policy, "resource") ||
    isRouted(policy.targets)
  );
};

/** True when a statement of many pairs can ask whether the policy grants one of them. */
export const isTestable = (policy: KbacPolicy): boolean => {
  const { report } = policy.condition.analysis;
  return !(
    readsResourceId(policy) ||
    report.callsBindEnds ||
    report.notBatchable ||
    isRouted(policy.targets)
  );
};

/** The text binds the resource where a name bound before it is not seen, and is given its key instead. */
const readsResourceKey = (policy: KbacPolicy): boolean =>
  [...policy.condition.analysis.report.binders.values()].some(
    ({ alias, isolatedScope, beforeFirstWith }) =>
      alias === "resource" && (isolatedScope || !beforeFirstWith),
  );

/** Pairs that one of `found` grants and none of `except`; all of the same types. */
export interface PairScan {
  readonly found: readonly KbacPolicy[];
  readonly except: readonly KbacPolicy[];
}

/** Which of `found` grant a pair; "policies" names them, by their places in `found`. */
type Detail = "counts" | "policies";

/** Searches the resources of one policy, where the row says at `flag` that the policy takes part. */
const finder = (
  policy: KbacPolicy,
  flag: string,
  pk: ProjectKey,
  switches: DecisionSwitches,
  column = "",
): string => {
  const { query, analysis } = policy.condition;
  const rewriting = rewriteOptions(policy, pk, "row", { bound: ["subject"], pinned: ["subject"] }, switches);
  const identity = needsIdentity(policy, switches) ? ` AND ${subjectIsIdentity}` : "";
  return [
    `WITH 1 AS __one WHERE ${printTree(property(variable(rowName), flag))}${identity}`,
    printClauses(rewrite(query, analysis.report, rewriting)),
    `RETURN DISTINCT resource${column}`,
  ].join("\n");
};

/** Prints the test that `resource` is of a type. */
const resourceIsOfType = (type: string, pk: ProjectKey): string => printTree(typeTest("resource", type, pk));

/**
 * Prints the search of a page of subjects for pairs that one side of a comparison grants and the other one does not.
 *
 * Takes `$rows`, one for each subject: `i`, `s` (its key), `f0`, `f1`, … (does policy n of `found` take part), `c0`,
 * `c1`, … (does policy n of `except`), and `RowValues`. With `counts` the columns are `i` and `pairs`, no row for a subject
 * without a pair. With `policies` they are `i`, `resource` (its external id) and `by` (places in `found` of those that
 * grant), at most `$limit` rows. Every policy of `found` must be scannable, every one of
 * `except` testable.
 */
export const scanStatement = (
  { found, except }: PairScan,
  pk: ProjectKey,
  detail: Detail,
  switches: DecisionSwitches = {},
): string => {
  const [first] = found;
  if (first === undefined) throw new Error("a scan needs a policy");
  const finders = found.map((policy, index) =>
    finder(policy, finderKey(index), pk, switches, detail === "counts" ? "" : `, ${index} AS __by`),
  );
  const candidates = except.map((policy, index) =>
    candidateOf(policy, { pk, rowSource: "row", index, switches }),
  );
  const isExcepted =
    candidates.length === 0
      ? []
      : [
          `WITH * WHERE CASE ${candidates.map(({ when }) => `WHEN ${when} THEN false`).join("\n")} ELSE true END`,
        ];
  const row = except.some(readsResourceKey)
    ? `${rowName} {.*, ${requestKeys.resource}: resource.${keyField}} AS ${rowName}`
    : rowName;
  const names = `${row}, subject, resource`;
  return [
    `UNWIND $rows AS ${rowName}`,
    `MATCH ${nodeByKey("subject", first.subjectType, pk, keyOfEnd("subject", "row"))}`,
    `CALL (${rowName}, subject) {`,
    indent(finders.join("\nUNION\n")),
    "}",
    detail === "counts" ? `WITH ${names}` : `WITH ${names}, collect(__by) AS __by`,
    `WHERE ${resourceIsOfType(first.resourceType, pk)}`,
    ...candidates.flatMap(({ clauseAfterEnds: then }) => then ?? []),
    ...isExcepted,
    detail === "counts"
      ? `RETURN ${rowName}.${requestKeys.index} AS i, count(*) AS pairs`
      : `RETURN ${rowName}.${requestKeys.index} AS i, resource.external_id AS resource, __by AS by LIMIT $limit`,
  ].join("\n");
};

/**
 * Prints the same count another way: what `except` grants is searched, too, and left out, where `scanStatement` asks of
 * every pair that was found whether `except` grants it. Which of the two is faster depends on the graph: few pairs in all are
 * searched quickly, and where every subject may see nearly everything it is the pairs found that are few.
 *
 * Takes the same parameters. Every policy of both lists must be scannable.
 */
export const differenceStatement = (
  { found, except }: PairScan,
  pk: ProjectKey,
  switches: DecisionSwitches = {},
): string => {
  const [first] = found;
  if (first === undefined) throw new Error("a scan needs a policy");
  const searches = [
    ...found.map((policy, index) => finder(policy, finderKey(index), pk, switches, ", 0 AS __except")),
    ...except.map((policy, index) => finder(policy, candidateKey(index), pk, switches, ", 1 AS __except")),
  ];
  return [
    `UNWIND $rows AS ${rowName}`,
    `MATCH ${nodeByKey("subject", first.subjectType, pk, keyOfEnd("subject", "row"))}`,
    `CALL (${rowName}, subject) {`,
    indent(
      [
        `CALL (${rowName}, subject) {`,
        indent(searches.join("\nUNION ALL\n")),
        "}",
        "WITH resource, max(__except) AS __except",
        `WHERE __except = 0 AND ${resourceIsOfType(first.resourceType, pk)}`,
        "RETURN count(*) AS pairs",
      ].join("\n"),
    ),
    "}",
    `WITH ${rowName}, pairs WHERE pairs > 0`,
    `RETURN ${rowName}.${requestKeys.index} AS i, pairs`,
  ].join("\n");
};

import { keyField, quoteName, typeLabel, type ProjectKey } from "@ikg/physical";
import { printTree } from "../cypher/printer.ts";
import type { KbacPolicy } from "../policy/kbac.ts";
import { property, variable } from "../rewrite/build.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import {
  areEnds,
  decisionEnds,
  keyOfEnd,
  needsIdentity,
  rewriteOptions,
  subjectIsIdentity,
  typeOf,
  typeTest,
  type DecisionSwitches,
  type DecisionEnd,
} from "./ends.ts";
import { indent, nodeByKey, printClauses } from "./statement.ts";

const other = (end: DecisionEnd): DecisionEnd => (end === "subject" ? "resource" : "subject");

/** The known end before the text, fenced off so that the planner starts there. */
const barrier = (
  policy: KbacPolicy,
  pk: ProjectKey,
  pinned: DecisionEnd,
  identity: boolean,
): readonly string[] => {
  const where = identity && pinned === "subject" ? ` WHERE ${subjectIsIdentity}` : "";
  const match = `MATCH ${nodeByKey(pinned, typeOf(policy, pinned), pk, keyOfEnd(pinned, "plain"))}${where}`;
  return [match, `WITH ${pinned} LIMIT 1`];
};

const candidate = "__candidate";

/**
 * True when the text binds the end that is searched for in several places: in a decision each is pinned to the same node, in a
 * search each would find nodes of its own.
 */
export const hasSeveralBinders = (policy: KbacPolicy, target: DecisionEnd): boolean =>
  [...policy.condition.analysis.report.binders.values()].filter(({ alias }) => alias === target).length > 1;

/** Prints the test that the end that is searched for is of the policy's type, under the name that it has in the statement. */
const targetTest = (policy: KbacPolicy, pk: ProjectKey, target: DecisionEnd, name: string): string =>
  printTree(typeTest(name, typeOf(policy, target), pk));

/** The search that tries every node of the type, in order, with the end pinned wherever the text binds it. */
const perCandidateSearch = (
  policy: KbacPolicy,
  pk: ProjectKey,
  target: DecisionEnd,
  switches: DecisionSwitches,
): string => {
  const { query, analysis } = policy.condition;
  const type = quoteName(typeLabel(typeOf(policy, target), pk));
  const rewriting = rewriteOptions(policy, pk, "plain", { bound: [], pinned: decisionEnds }, switches);
  const key = property(variable(candidate), keyField);
  const pins = new Map([...(rewriting.pins ?? []), [target, key] as const]);
  const text = rewrite(query, analysis.report, { ...rewriting, pins, carried: [candidate] });
  return [
    `MATCH (${candidate}:${type})`,
    `WHERE ${candidate}.external_id > $__row.after AND ${targetTest(policy, pk, target, candidate)}`,
    `WITH ${candidate} ORDER BY ${candidate}.external_id`,
    `CALL (${candidate}) {`,
    indent(
      `${printClauses(text)}\nWITH * WHERE ${decisionEnds.map((end) => `${end} IS NOT NULL`).join(" AND ")}`,
    ),
    "  RETURN 1 AS __one LIMIT 1",
    "}",
    `RETURN ${candidate}.external_id AS id ORDER BY id LIMIT $__row.limit`,
  ].join("\n");
};

/**
 * Prints the search for the resources that one policy grants to one subject, or for the subjects that it grants
 * one resource to. Every USE is left out, as in a decision.
 *
 * Takes `$__row`: `s` or `r` (key of the known end), `after` (the last id of the page before, "" at first),
 * `limit`, and `RowValues`. One column `id`, distinct, ascending. Nodes are made distinct before their id is read,
 * which is half the work.
 */
export const searchStatement = (
  policy: KbacPolicy,
  pk: ProjectKey,
  target: DecisionEnd,
  switches: DecisionSwitches = {},
): string => {
  if (hasSeveralBinders(policy, target)) return perCandidateSearch(policy, pk, target, switches);
  const { query, analysis } = policy.condition;
  const pinned = other(target);
  const inside = analysis.report.callsBindEnds;
  const identity = needsIdentity(policy, switches);
  const bindings = { bound: inside ? [] : [pinned], pinned: [pinned] };
  const found = [
    ...(inside ? [areEnds([pinned], "plain")] : []),
    ...(identity && target === "subject" ? [subjectIsIdentity] : []),
  ];
  return [
    ...(inside ? [] : barrier(policy, pk, pinned, identity)),
    printClauses(rewrite(query, analysis.report, rewriteOptions(policy, pk, "plain", bindings, switches))),
    ...(found.length === 0 ? [] : [`WITH * WHERE ${found.join(" AND ")}`]),
    `WITH DISTINCT ${target} WHERE ${targetTest(policy, pk, target, target)}`,
    `WITH ${target}.external_id AS id WHERE id > $__row.after`,
    "RETURN id ORDER BY id LIMIT $__row.limit",
  ].join("\n");
};

import type { ProjectKey } from "@ikg/physical";
import { printTree } from "../cypher/printer.ts";
import type { KbacPolicy } from "../policy/kbac.ts";
import { property, variable, when } from "../rewrite/build.ts";
import { withReturnedId } from "../rewrite/returned-id.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import {
  decisionEnds,
  rewriteOptions,
  typeOf,
  typeTest,
  type DecisionSwitches,
  type DecisionEnd,
} from "./ends.ts";
import { hasSeveralBinders } from "./search.ts";
import { printClauses } from "./statement.ts";

/*
 * Texts for a session on a composite database, USE included. Each
 * runs for one request: the ends are pinned wherever the text binds them, because nothing may precede a USE.
 */

/**
 * Prints the decision of one policy. Takes `$__row`: `s`, `r`, `g` (graph names of the location parameters, from
 * `resolveRoute`) and `RowValues`. A row, `granted_by: 0`, when the policy grants; no row when it does not.
 */
export const compositeDecideStatement = (
  policy: KbacPolicy,
  pk: ProjectKey,
  switches: DecisionSwitches = {},
): string => {
  const { query, analysis } = policy.condition;
  const rewriting = rewriteOptions(policy, pk, "plain", { bound: [], pinned: decisionEnds }, switches);
  return [
    printClauses(rewrite(query, analysis.report, { ...rewriting, composite: true })),
    "WITH * WHERE subject IS NOT NULL AND resource IS NOT NULL",
    "RETURN 0 AS granted_by LIMIT 1",
  ].join("\n");
};

/**
 * Prints the search of one policy for one end; takes what `searchStatement` takes, and `g`. One column `id`.
 *
 * @returns undefined for a text that binds the end that is searched for in several places: these cannot be compared, because
 *   a node of one constituent is no node of another.
 */
export const compositeSearchStatement = (
  policy: KbacPolicy,
  pk: ProjectKey,
  target: DecisionEnd,
  switches: DecisionSwitches = {},
): string | undefined => {
  if (hasSeveralBinders(policy, target)) return undefined;
  const { query, analysis } = policy.condition;
  const pinned = decisionEnds.filter((end) => end !== target);
  const rewriting = rewriteOptions(policy, pk, "plain", { bound: [], pinned }, switches);
  // Null for a node of another type, which the comparison with the cursor leaves out.
  const id = when(typeTest(target, typeOf(policy, target), pk), property(variable(target), "external_id"));
  const text = withReturnedId(rewrite(query, analysis.report, { ...rewriting, composite: true }), {
    name: target,
    id,
    as: "__sought",
  });
  return [
    printClauses(text.query),
    `WITH DISTINCT ${text.id ?? printTree(id)} AS id WHERE id > $__row.after`,
    "RETURN id ORDER BY id LIMIT $__row.limit",
  ].join("\n");
};

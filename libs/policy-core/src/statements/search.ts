import type { ProjectKey } from "@ikg/physical";
import type { KbacPolicy } from "../policy/kbac.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import {
  areEnds,
  keyOfEnd,
  needsIdentity,
  rewriteOptions,
  subjectIsIdentity,
  typeOf,
  type DecisionOptions,
  type End,
} from "./ends.ts";
import { nodeByKey, printClauses } from "./statement.ts";

const other = (end: End): End => (end === "subject" ? "resource" : "subject");

/** The known end before the text, fenced off so that the planner starts there (policies specification 11.4). */
const barrier = (policy: KbacPolicy, pk: ProjectKey, pinned: End, identity: boolean): readonly string[] => {
  const where = identity && pinned === "subject" ? ` WHERE ${subjectIsIdentity}` : "";
  const match = `MATCH ${nodeByKey(pinned, typeOf(policy, pinned), pk, keyOfEnd(pinned, "plain"))}${where}`;
  return [match, `WITH ${pinned} LIMIT 1`];
};

/**
 * Prints the search for the resources that one policy grants to one subject, or for the subjects that it grants
 * one resource to. Every USE is left out, as in a decision.
 *
 * Takes `$__row`: `s` or `r` (key of the known end), `after` (the last id of the page before, "" at first),
 * `limit`, and `BoundValues`. One column `id`, distinct, ascending. Nodes are made distinct before their id is read,
 * which is half the work (physical model, section 14).
 */
export const searchStatement = (
  policy: KbacPolicy,
  pk: ProjectKey,
  sought: End,
  options: DecisionOptions = {},
): string => {
  const { query, analysis } = policy.condition;
  const pinned = other(sought);
  const inside = analysis.report.callsBindEnds;
  const identity = needsIdentity(policy, options);
  const places = { bound: inside ? [] : [pinned], pinned: [pinned] };
  const found = [
    ...(inside ? [areEnds([pinned], "plain")] : []),
    ...(identity && sought === "subject" ? [subjectIsIdentity] : []),
  ];
  return [
    ...(inside ? [] : barrier(policy, pk, pinned, identity)),
    printClauses(rewrite(query, analysis.report, rewriteOptions(policy, pk, "plain", places, options))),
    ...(found.length === 0 ? [] : [`WITH * WHERE ${found.join(" AND ")}`]),
    `WITH DISTINCT ${sought}`,
    `WITH ${sought}.external_id AS id WHERE id > $__row.after`,
    "RETURN id ORDER BY id LIMIT $__row.limit",
  ].join("\n");
};

import type { ProjectKey } from "@ikg/physical";
import type { KbacPolicy } from "../policy/kbac.ts";
import { rewrite } from "../rewrite/rewrite.ts";
import {
  areEnds,
  decisionEnds,
  keyOfEnd,
  needsIdentity,
  rewriteOptions,
  subjectIsIdentity,
  typeOf,
  type DecisionSwitches,
  type DecisionEnd,
} from "../statements/ends.ts";
import { canBindBefore } from "../statements/rows.ts";
import { nodeByKey, printClauses } from "../statements/statement.ts";
import { firstWithoutRow, type StatementSequence } from "./statement-sequence.ts";
import { pathColumns, readPath, type MatchedPath } from "./matched-path.ts";
import { nameElements } from "./named-elements.ts";
import { locatePart, partsOfQuery, type Part, type Prefix } from "./query-parts.ts";

/** Why the pattern of a candidate grants or does not. */
export type DecisionExplanation =
  | { readonly outcome: "matched"; readonly path: MatchedPath }
  /** The project holds no such subject or resource. */
  | { readonly outcome: "ends_missing"; readonly ends: readonly DecisionEnd[] }
  /** `KBAC2_REQUIRE_IDENTITY` is on, and the subject is not an identity node. */
  | { readonly outcome: "identity_required" }
  | {
      readonly outcome: "pattern_not_matched";
      /** The first part of the pattern after which no row is left. */
      readonly part: Part;
      /** False when a statement did not finish: then the first part after which no row was seen in time. */
      readonly certain: boolean;
    }
  /** No statement finished, or the graph changed in between. */
  | { readonly outcome: "unknown" };

const bindEnds = (policy: KbacPolicy, pk: ProjectKey, switches: DecisionSwitches): readonly string[] => [
  ...decisionEnds.map((end) => `MATCH ${nodeByKey(end, typeOf(policy, end), pk, keyOfEnd(end, "plain"))}`),
  `WITH subject, resource LIMIT 1${needsIdentity(policy, switches) ? ` WHERE ${subjectIsIdentity}` : ""}`,
];

const endsText = (policy: KbacPolicy, pk: ProjectKey): string =>
  [
    ...decisionEnds.map(
      (end) => `OPTIONAL MATCH ${nodeByKey(end, typeOf(policy, end), pk, keyOfEnd(end, "plain"))}`,
    ),
    `RETURN subject IS NOT NULL AS subject, resource IS NOT NULL AS resource, ${subjectIsIdentity} AS identity`,
  ].join("\n");

/** One statement: the ends, the clauses of a text or of its beginning, and what it returns. */
const statement = (
  policy: KbacPolicy,
  pk: ProjectKey,
  { query, report }: Prefix,
  switches: DecisionSwitches,
  requested: readonly string[],
): string => {
  // Where nothing may be bound before the text, both ends are pinned wherever it binds them.
  const before = isBoundBefore(policy);
  const bindings = { bound: before ? decisionEnds : [], pinned: decisionEnds };
  const clauses = rewrite(query, report, rewriteOptions(policy, pk, "plain", bindings, switches));
  return [...(before ? bindEnds(policy, pk, switches) : []), printClauses(clauses), ...requested].join("\n");
};

const isBoundBefore = ({ condition }: KbacPolicy): boolean =>
  !condition.analysis.report.callsBindEnds && decisionEnds.every((end) => canBindBefore(condition, end));

/**
 * Explains the result of one candidate's pattern for one request: one match when there is one, else the ends that
 * are missing, else the first part of the text after which no row is left. Runs only when an explanation is requested,
 * separately from the decision: at most 3 statements and the logarithm of the number of parts.
 *
 * Takes `$__row`: `s` and `r` (keys of the ends) and `RowValues` of the pattern. A policy with USE runs in the
 * database its decision ran in; a CALL is reported as one part.
 */
export function* explainDecision(
  policy: KbacPolicy,
  pk: ProjectKey,
  switches: DecisionSwitches = {},
): StatementSequence<DecisionExplanation> {
  const { text, query, analysis } = policy.condition;
  const { report } = analysis;
  const named = nameElements(query, report, decisionEnds);
  const guard = report.callsBindEnds ? [`WITH * WHERE ${areEnds(decisionEnds, "plain")}`] : [];
  const oneMatch = (ordered: boolean): string =>
    statement(policy, pk, named, switches, [...guard, ...pathColumns(named.elements, ordered)]);
  // Where there are too many matches to put in order, any will do.
  const rows = (yield oneMatch(true)) ?? (yield oneMatch(false));
  const [row] = rows ?? [];
  if (row !== undefined) return { outcome: "matched", path: readPath(named.elements, row) };

  const [found] = (yield endsText(policy, pk)) ?? [];
  if (found === undefined) return { outcome: "unknown" };
  const missing = decisionEnds.filter((end) => found[end] !== true);
  if (missing.length > 0) return { outcome: "ends_missing", ends: missing };
  if (needsIdentity(policy, switches) && found["identity"] !== true) return { outcome: "identity_required" };

  const parts = partsOfQuery(query, report);
  const empty = yield* firstWithoutRow(parts.length, (index) => {
    const part = parts[index];
    if (part === undefined) throw new Error("no such part");
    return statement(policy, pk, part.prefix(), switches, ["RETURN true AS found LIMIT 1"]);
  });
  const part = empty && parts[empty.index];
  if (empty === undefined || part === undefined) return { outcome: "unknown" };
  return {
    outcome: "pattern_not_matched",
    part: locatePart(part, text),
    certain: empty.certain && rows !== undefined,
  };
}

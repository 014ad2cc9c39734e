import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { Unknown } from "@ikg/contracts";
import type { Reference } from "@ikg/policy-core";
import { candidatesOf, selectTagged } from "../decisions/candidates.ts";
import type { Evaluation } from "../decisions/decide.ts";
import type { RecordedInputs } from "./recorded-inputs.ts";

/** Everything that a policy reads besides the graph; a location is a parameter. */
const referencesOf = ({ policy: { needs, targets } }: StoredKbacPolicy): readonly Reference[] => [
  ...needs.references.values(),
  ...targets.flatMap((target) =>
    target?.kind === "parameter" ? [{ kind: "parameter", name: target.name, path: [] } as const] : [],
  ),
];

/** One gap with the names of all gaps that have the reason of the first one. */
const combineGaps = (gaps: readonly Unknown[]): Unknown | undefined => {
  const [first] = gaps;
  if (first === undefined) return undefined;
  const names = gaps.flatMap(({ reason, missing = [] }) => (reason === first.reason ? missing : []));
  return { reason: first.reason, missing: [...new Set(names)] };
};

/** What the policies of a project would read for this question and the record does not hold. */
export const inputGap = (
  snapshot: ProjectSnapshot,
  evaluation: Evaluation,
  inputs: RecordedInputs,
): Unknown | undefined => {
  const all = candidatesOf(snapshot, evaluation);
  if (all.length === 0) return undefined;
  // Tags choose the policies.
  if (inputs.contextGap !== undefined) return inputs.contextGap;
  const candidates = selectTagged(all, evaluation);
  const comparesSubjects = candidates.some(({ policy }) => policy.version === "3.0-kbac");
  const gaps = candidates.flatMap(referencesOf).map((reference) => inputs.gapOf(reference));
  return combineGaps(
    [comparesSubjects ? inputs.tokenGap : undefined, ...gaps].filter((gap) => gap !== undefined),
  );
};

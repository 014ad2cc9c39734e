import type { CandidateExplanation, Entity, Explanation } from "@ikg/client";
import type { Style } from "../output/style.ts";
import { comparisonLine } from "./comparison-text.ts";
import { partLine } from "./part-line.ts";
import { pathText } from "./path-text.ts";
import type { Branch } from "./tree.ts";

const outcomes: Readonly<Record<CandidateExplanation["outcome"], string>> = {
  granted: "grants",
  filter_not_satisfied: "its filter is not satisfied",
  pattern_not_matched: "its pattern does not match",
  parameter_missing: "a parameter is missing",
  wrong_location: "its location cannot be resolved",
  unknown: "cannot be explained",
};

const filterLine = (filter: NonNullable<CandidateExplanation["filter"]>): string =>
  filter.token_missing ? `${filter.path}: requires a signed-in user` : comparisonLine(filter);

/** The reasons for the result of a policy, one per line. */
const reasonsOf = (candidate: CandidateExplanation, subject: Entity | undefined): readonly string[] => {
  const { filter, parameters, location, missing, identity_required, part, path } = candidate;
  return [
    ...(path === undefined ? [] : pathText(path, subject)),
    ...(filter === undefined ? [] : [filterLine(filter)]),
    ...(parameters ?? []).map((name) => `missing: -p ${name}=…`),
    ...(location ?? []),
    ...(missing ?? []).map((end) => `the graph does not contain the ${end}`),
    ...(identity_required === true ? ["the subject is not marked as an identity"] : []),
    ...(part === undefined ? [] : [partLine(part)]),
  ];
};

const branchOf = (candidate: CandidateExplanation, subject: Entity | undefined, style: Style): Branch => {
  const { policy, outcome } = candidate;
  const text = `${policy.name} (version ${policy.version}) ${outcomes[outcome]}`;
  return {
    text: style(outcome === "granted" ? "good" : "faint", text),
    below: reasonsOf(candidate, subject).map((text) => ({ text })),
  };
};

/** Names the deciding policy if several policies grant access. */
const decidedBy = ({ candidates, granted_by }: Pick<Explanation, "candidates" | "granted_by">): string[] => {
  const grants = candidates.filter(({ outcome }) => outcome === "granted");
  const isEvident = grants.length === 1 && grants[0]?.policy.id === granted_by?.id;
  if (granted_by === undefined || isEvident) return [];
  return [`decided by ${granted_by.name} (version ${granted_by.version})`];
};

/** The policies of an explanation, oldest first. */
export const candidateBranches = (
  explanation: Pick<Explanation, "candidates" | "granted_by" | "omitted">,
  subject: Entity | undefined,
  style: Style,
): readonly Branch[] => {
  const { candidates, omitted } = explanation;
  return [
    ...(candidates.length === 0 ? [{ text: "no active policy matches these types and this action" }] : []),
    ...decidedBy(explanation).map((text) => ({ text })),
    ...candidates.map((each) => branchOf(each, subject, style)),
    ...(omitted === undefined || omitted === 0 ? [] : [{ text: `and ${omitted} more policies` }]),
  ];
};

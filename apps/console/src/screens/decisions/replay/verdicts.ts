import type { ReplayedDecision } from "@ikg/client";

export type Verdict = ReplayedDecision["verdict"];

export const verdicts = [
  "same",
  "policy_changed",
  "graph_changed",
  "not_replayable",
] as const satisfies readonly Verdict[];

export const verdictTexts: Readonly<Record<Verdict, string>> = {
  same: "Same",
  policy_changed: "Policy changed",
  graph_changed: "Graph changed",
  not_replayable: "Not replayable",
};

export const verdictMeanings: Readonly<Record<Verdict, string>> = {
  same: "Today's answer is the recorded one.",
  policy_changed:
    "Today's answer differs. The policies of that time would still give the recorded one on today's graph: the policies made the difference.",
  graph_changed:
    "Today's answer differs, and the policies of that time do not give the recorded one on today's graph either: the graph made the difference.",
  not_replayable: "Something that the decision needs is missing, and is never guessed.",
};

type Reason = NonNullable<ReplayedDecision["because"]>["reason"];

export const reasonTexts: Readonly<Record<Reason, string>> = {
  other_project: "the record is one of another project",
  search: "a search: its record holds the number of results, not the results",
  not_a_decision: "the record of a simulation or replay",
  no_decision: "the call was refused or failed",
  incomplete_question: "subject, action or resource is not complete",
  record_cut: "the record was truncated in the question or in the policies",
  inputs_hashed: "the record holds hashes of inputs that a policy reads",
  inputs_omitted: "inputs that a policy reads were not recorded",
  inputs_cut: "inputs that a policy reads were truncated",
  claims_not_recorded: "a policy reads a claim of the token that was not recorded",
  version_not_stored: "a version of a policy is no longer stored",
  version_not_valid: "this release refuses the text of a version of a policy",
  not_decided_in_time: "a statement did not end in time",
};

/** Whether today's answer is another one. */
export const differs = ({ verdict }: Pick<ReplayedDecision, "verdict">): boolean =>
  verdict === "policy_changed" || verdict === "graph_changed";

/** How often each verdict was given. */
export const countVerdicts = (
  results: Iterable<Pick<ReplayedDecision, "verdict">>,
): Readonly<Record<Verdict, number>> => {
  const counts = { same: 0, policy_changed: 0, graph_changed: 0, not_replayable: 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
};

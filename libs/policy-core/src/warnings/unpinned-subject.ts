import type { Policy } from "../policy/compile.ts";
import { inCypher, type Warning } from "./warning.ts";

const text =
  "the policy tests the subject by a fixed value, so it is not pinned to the signed-in person; add subject.external_id = $token.sub to pin it";

/** A person as subject that the policy constrains without saying who it is: the platform then leaves it unpinned. */
export const unpinnedSubjectWarnings = (policy: Policy): readonly Warning[] => {
  if (policy.kind !== "ciq" || policy.pin !== "policy" || policy.identifiesSubject) return [];
  const { analysis, text: cypher } = policy.condition;
  const pattern = analysis.report.named.find(({ variable }) => variable === "subject");
  return [inCypher("subject-not-pinned", text, cypher, pattern?.at ?? 0)];
};

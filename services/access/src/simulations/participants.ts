import type { CatalogProject, StoredKbacPolicy } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import type { Inputs } from "@ikg/policy-core";
import { prefilter, type Question, selectTagged } from "../decisions/candidates.ts";
import { requireOwnSubject } from "../decisions/subject-match.ts";

/** Whether the call as a whole is refused: a token of another subject beside a `3.0-kbac` policy. */
const isRefused = (policies: readonly StoredKbacPolicy[], question: Question): boolean => {
  try {
    requireOwnSubject(policies, question);
    return false;
  } catch (error) {
    if (error instanceof Problem && error.code === "subject_mismatch") return true;
    throw error;
  }
};

/** The candidates whose patterns decide one subject's question, after tags, filters, parameters and the rule of tokens. */
export const participantsOf = (
  candidates: readonly StoredKbacPolicy[],
  question: Question,
  inputs: Inputs,
  composite: CatalogProject["composite"],
): ReadonlySet<StoredKbacPolicy> => {
  const policies = selectTagged(candidates, question);
  if (isRefused(policies, question)) return new Set();
  return new Set(prefilter(policies, inputs, composite).participants);
};

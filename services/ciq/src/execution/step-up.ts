import { stepUpRequired, type UnmetDemand } from "@ikg/auth";
import type { Problem } from "@ikg/contracts";
import type { FailingLeaf, FilterOutcome } from "@ikg/policy-core";

const demandOf = ({ leaf, isNegated, advice, inherited }: FailingLeaf): UnmetDemand => {
  const { attribute, operator, value } = leaf;
  const ofToken = attribute.kind === "reference" && attribute.reference.kind === "token";
  return {
    claim: ofToken ? attribute.reference.path.join(".") : undefined,
    operator,
    value: value?.kind === "literal" ? value.value : undefined,
    isNegated,
    advice,
    inherited,
  };
};

/** The refusal of a token that a policy's `token_filter` does not accept (RFC 9470). */
export const stepUp = ({ failing }: FilterOutcome): Problem => stepUpRequired(failing.map(demandOf));

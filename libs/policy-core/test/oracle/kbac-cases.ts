import { inputsOf } from "./bound.ts";
import { checkKbacGroup } from "./check-kbac.ts";
import type { Kind } from "./fuzz.ts";
import { kbacGroup, type KbacGroup } from "./generate/cases.ts";
import { kbacJson } from "./policy.ts";

/** KBAC policies: every pair decided, some searched. */
export const kbacCases: Kind<KbacGroup> = {
  make: kbacGroup,
  check: checkKbacGroup,
  inputsOf: ({ inputs }) => inputs.length,
  alone: (group, index) => ({ ...group, policies: group.policies.slice(index, index + 1) }),
  tell: ({ graph, policies, inputs }) => ({
    graph,
    policy: policies[0] && kbacJson(policies[0]),
    inputs: inputs.map((given) => inputsOf(given)),
  }),
};

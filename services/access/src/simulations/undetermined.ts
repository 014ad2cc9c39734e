import type { CatalogProject, StoredKbacPolicy } from "@ikg/catalog";
import type { Simulation, SimulationInputs } from "@ikg/contracts";
import { missingParameters } from "@ikg/policy-core";
import { inputsOf, prefilterCandidate, selectTagged } from "../decisions/candidates.ts";
import { questionOf } from "./inputs.ts";
import type { AffectedQuestion } from "./questions.ts";

/** The filter may be true for some pairs and not for others. */
const dependsOnPair = ({ policy }: StoredKbacPolicy, { signed_in }: SimulationInputs): boolean =>
  [...(policy.filter?.needs.references.values() ?? [])].some(
    (reference) =>
      (reference.kind === "platform" && reference.name.endsWith("_external_id")) ||
      (reference.kind === "token" && reference.path[0] === "sub" && signed_in === true),
  );

/** Parameters that say where the policy is evaluated and are not given. */
const missingLocations = (
  { policy }: StoredKbacPolicy,
  { input_params }: SimulationInputs,
): readonly string[] =>
  policy.targets.flatMap((target) =>
    target?.kind === "parameter" && input_params?.[target.name] === undefined ? [target.name] : [],
  );

/** Policies that cannot be decided with these inputs, with the parameters that they need. */
export const undeterminedOf = (
  questions: readonly AffectedQuestion[],
  inputs: SimulationInputs,
  composite: CatalogProject["composite"],
): Simulation["undetermined"] => {
  const missing = new Map<string, Set<string>>();
  const collect = ({ name, policy }: StoredKbacPolicy, parameters: readonly string[]): void => {
    if (parameters.length === 0) return;
    const known = missing.get(name) ?? new Set<string>();
    // A parameter that is too large is named with what is allowed.
    for (const each of parameters) known.add(each.split(" ")[0] ?? each);
    for (const each of policy.needs.parameters)
      if (inputs.input_params?.[each] === undefined) known.add(each);
    missing.set(name, known);
  };
  for (const question of questions) {
    const anySubject = questionOf(question, inputs, "");
    const values = inputsOf(anySubject);
    for (const stored of new Set([...question.before, ...question.after])) {
      if (selectTagged([stored], anySubject).length === 0) continue;
      const { missing, filter } = dependsOnPair(stored, inputs)
        ? { missing: missingParameters(stored.policy.needs, values.inputParams), filter: undefined }
        : prefilterCandidate(stored, values, composite);
      // What its filter excludes is not evaluated anywhere.
      collect(stored, filter === undefined ? [...missing, ...missingLocations(stored, inputs)] : missing);
    }
  }
  return [...missing].map(([name, parameters]) => ({ name, parameters: [...parameters] }));
};

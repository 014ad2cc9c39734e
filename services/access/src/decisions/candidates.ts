import type { StoredKbacPolicy } from "@ikg/catalog";
import type { Action, Context, EntityType } from "@ikg/contracts";
import {
  type Advice,
  bindValues,
  evaluateFilter,
  type Inputs,
  missingParameters,
  resolveRoute,
} from "@ikg/policy-core";
import type { Token } from "@ikg/auth";

/** A subject or resource that may be what is searched for. */
export type SomeEntity = EntityType & { readonly id?: string };

/** One question before it reaches the graph: who, what, on which, and everything that policies may read. */
export interface Question {
  readonly subject: SomeEntity;
  readonly resource: SomeEntity;
  readonly action: Action;
  readonly context: Context | null | undefined;
  /** The introspected bearer token; absent when none was sent. */
  readonly token: Token | undefined;
}

/** What is left of the candidates after filters and parameters (policies specification 6.2). */
export interface Weighed {
  /** Whose pattern is asked; in the order of the candidates. */
  readonly participants: readonly StoredKbacPolicy[];
  /** Parameters that kept a candidate from being asked. */
  readonly missing: readonly string[];
  /** Why the location of a candidate cannot be resolved (policies specification 6.6). */
  readonly locationFaults: readonly string[];
  /** Advice of filters that were not true. */
  readonly advice: readonly Advice[];
  /** A filter failed because it reads a token and none was sent. */
  readonly tokenMissing: boolean;
}

/** The values that a question brings for the references of a policy. */
export const inputsOf = ({ subject, resource, action, context, token }: Question): Inputs => ({
  inputParams: context?.input_params ?? {},
  token: token?.claims,
  request: {
    subject: { properties: subject.properties ?? {} },
    resource: { properties: resource.properties ?? {} },
    action: { properties: action.properties ?? {} },
    context: context ?? {},
  },
  platform: {
    ...(subject.id === undefined ? {} : { subject_external_id: subject.id }),
    subject_type: subject.type,
    ...(resource.id === undefined ? {} : { resource_external_id: resource.id }),
    resource_type: resource.type,
  },
});

/** The candidates that carry one of the tags of the question; all of them when it names none. */
export const tagged = (
  candidates: readonly StoredKbacPolicy[],
  { context }: Question,
): readonly StoredKbacPolicy[] => {
  const tags = context?.policy_tags ?? [];
  return tags.length === 0
    ? candidates
    : candidates.filter((policy) => policy.tags.some((tag) => tags.includes(tag)));
};

/** Evaluates in memory what needs no graph: filters, presence of parameters. */
export const weigh = (candidates: readonly StoredKbacPolicy[], inputs: Inputs): Weighed => {
  const participants: StoredKbacPolicy[] = [];
  const missing = new Set<string>();
  const locationFaults = new Set<string>();
  const advice: Advice[] = [];
  let tokenMissing = false;
  for (const candidate of candidates) {
    const { filter, needs } = candidate.policy;
    if (filter !== undefined) {
      const absent = missingParameters(filter.needs, inputs.inputParams);
      if (absent.length > 0) {
        for (const name of absent) missing.add(name);
        continue;
      }
      const outcome = evaluateFilter(filter.filter, bindValues(filter.needs, inputs));
      if (outcome.truth !== true) {
        advice.push(...outcome.advice);
        tokenMissing ||= outcome.tokenMissing;
        continue;
      }
    }
    const absent = missingParameters(needs, inputs.inputParams);
    for (const name of absent) missing.add(name);
    // No project has a composite database yet, so that a policy with USE is refused by name.
    const routed = resolveRoute(candidate.policy.targets, inputs.inputParams, undefined);
    if (!routed.ok) for (const fault of routed.faults) locationFaults.add(fault);
    if (absent.length === 0 && routed.ok) participants.push(candidate);
  }
  return {
    participants,
    missing: [...missing],
    locationFaults: [...locationFaults],
    advice,
    tokenMissing,
  };
};

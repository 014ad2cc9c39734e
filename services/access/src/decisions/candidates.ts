import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { Action, Context, EntityType } from "@ikg/contracts";
import {
  type Advice,
  bindValues,
  evaluateFilter,
  type FilterOutcome,
  type Inputs,
  missingParameters,
} from "@ikg/policy-core";
import type { Token } from "@ikg/auth";
import { type DatabaseTarget, databaseTargetOf } from "./database-target.ts";

/** A subject or resource; without an id where it is searched for. */
type SomeEntity = EntityType & { readonly id?: string };

/** One question: subject, action, resource, and everything that policies may read. */
export interface Question {
  readonly subject: SomeEntity;
  readonly resource: SomeEntity;
  readonly action: Action;
  readonly context: Context | null | undefined;
  /** The introspected bearer token; absent when none was sent. */
  readonly token: Token | undefined;
}

/** The candidates after filters, parameters and locations were evaluated in memory. */
export interface Prefiltered {
  /** Candidates whose pattern is evaluated in the graph, in their order. */
  readonly participants: readonly StoredKbacPolicy[];
  /** Parameters without which a candidate cannot be evaluated. */
  readonly missing: readonly string[];
  /** Where the participants with a `USE` clause are evaluated. */
  readonly databaseTargets: ReadonlyMap<StoredKbacPolicy, DatabaseTarget>;
  /** Why the location of a candidate cannot be resolved. */
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

/**
 * The ACTIVE policies for the types and the action of a question. Statements are cached by the identity of this list, which is
 * the same as long as the snapshot.
 */
export const candidatesOf = (
  snapshot: ProjectSnapshot,
  { subject, action, resource }: Pick<Question, "subject" | "action" | "resource">,
): readonly StoredKbacPolicy[] => snapshot.kbacCandidates(subject.type, action.name, resource.type);

/** The candidates with one of the tags; all of them without tags. */
export const withAnyTag = (
  candidates: readonly StoredKbacPolicy[],
  tags: readonly string[],
): readonly StoredKbacPolicy[] =>
  tags.length === 0
    ? candidates
    : candidates.filter((policy) => policy.tags.some((tag) => tags.includes(tag)));

/** The candidates that a question is about: those with one of its tags. */
export const selectTagged = (
  candidates: readonly StoredKbacPolicy[],
  { context }: Question,
): readonly StoredKbacPolicy[] => withAnyTag(candidates, context?.policy_tags ?? []);

/** The outcome of prefiltering one candidate; it participates unless a member holds a reason against it. */
export interface CandidateStatus {
  /** Outcome of its filter, when that is not true. */
  readonly filter?: FilterOutcome;
  readonly missing: readonly string[];
  readonly locationFaults: readonly string[];
  readonly databaseTarget?: DatabaseTarget | undefined;
}

/** Evaluates in memory what needs no graph: the filter, presence of parameters, the location. */
export const prefilterCandidate = (
  { policy: { filter, needs, targets } }: StoredKbacPolicy,
  inputs: Inputs,
  composite: CatalogProject["composite"],
): CandidateStatus => {
  if (filter !== undefined) {
    const missing = missingParameters(filter.needs, inputs.inputParams);
    if (missing.length > 0) return { missing, locationFaults: [] };
    const outcome = evaluateFilter(filter.filter, bindValues(filter.needs, inputs));
    if (outcome.truth !== true) return { filter: outcome, missing, locationFaults: [] };
  }
  const missing = missingParameters(needs, inputs.inputParams);
  const { databaseTarget, faults } = databaseTargetOf(targets, inputs.inputParams, composite);
  return { missing, locationFaults: faults, databaseTarget };
};

/** Prefilters all candidates and collects the outcomes. */
export const prefilter = (
  candidates: readonly StoredKbacPolicy[],
  inputs: Inputs,
  composite: CatalogProject["composite"],
): Prefiltered => {
  const databaseTargets = new Map<StoredKbacPolicy, DatabaseTarget>();
  const participants: StoredKbacPolicy[] = [];
  const missing = new Set<string>();
  const locationFaults = new Set<string>();
  const advice: Advice[] = [];
  let tokenMissing = false;
  for (const candidate of candidates) {
    const status = prefilterCandidate(candidate, inputs, composite);
    if (status.filter !== undefined) {
      advice.push(...status.filter.advice);
      tokenMissing ||= status.filter.tokenMissing;
      continue;
    }
    for (const name of status.missing) missing.add(name);
    for (const fault of status.locationFaults) locationFaults.add(fault);
    if (status.missing.length > 0 || status.locationFaults.length > 0) continue;
    participants.push(candidate);
    if (status.databaseTarget !== undefined) databaseTargets.set(candidate, status.databaseTarget);
  }
  return {
    participants,
    databaseTargets,
    missing: [...missing],
    locationFaults: [...locationFaults],
    advice,
    tokenMissing,
  };
};

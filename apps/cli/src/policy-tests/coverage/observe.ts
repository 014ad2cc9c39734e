import type { CandidateExplanation } from "@ikg/contracts";
import { bindValues, evaluateLeaves, type CiqPolicy, type KbacPolicy } from "@ikg/policy-core";
import type { World, PolicyDefinition } from "../file/world.ts";
import type { Observation } from "../run/result.ts";
import { partKey, policyKey } from "./units.ts";

/** Counts a covered unit of a policy or query. */
export type Count = (subject: string, unit: string) => void;

type DecisionObservation = Extract<Observation, { kind: "decision" }>;
type QueryObservation = Extract<Observation, { kind: "query" }>;

const policyOf = (world: World, name: string): PolicyDefinition | undefined =>
  world.policies.find((each) => each.name === name);

type ResolvedFilter = NonNullable<KbacPolicy["filter"]>;

/** Evaluates a filter that does not depend on the graph, with the inputs of the test. */
const countLeaves = (
  key: string,
  { filter, needs }: ResolvedFilter,
  inputs: Parameters<typeof bindValues>[1],
  count: Count,
): void => {
  for (const { leaf, truth } of evaluateLeaves(filter, bindValues(needs, inputs)))
    count(key, `leaf ${leaf.path} ${truth === true}`);
};

const countDecision = (world: World, observation: DecisionObservation, count: Count): void => {
  const { test, claims, explanation } = observation;
  const { subject, resource, action, params, context } = test;
  const inputs = {
    inputParams: params,
    token: claims,
    request: {
      subject: { properties: {} },
      resource: { properties: {} },
      action: { properties: {} },
      context,
    },
    platform: {
      subject_external_id: subject.id,
      subject_type: subject.type,
      resource_external_id: resource.id,
      resource_type: resource.type,
    },
  };
  for (const candidate of explanation?.candidates ?? []) {
    const policy = policyOf(world, candidate.policy.name);
    if (policy?.compiled?.kind !== "kbac") continue;
    const key = policyKey(policy);
    countCandidate(key, candidate, count);
    count(key, `action ${action}`);
    const { filter } = policy.compiled;
    if (filter !== undefined && candidate.outcome !== "parameter_missing")
      countLeaves(key, filter, inputs, count);
  }
};

const countCandidate = (key: string, { outcome, part }: CandidateExplanation, count: Count): void => {
  count(key, "asked");
  if (outcome === "granted") count(key, "granted");
  else if (outcome !== "unknown") count(key, "denied");
  if (part?.certain === true) count(key, partKey(part.from));
};

const countSearch = (
  world: World,
  { test }: Extract<Observation, { kind: "search" }>,
  count: Count,
): void => {
  for (const policy of world.policies) {
    const { compiled } = policy;
    if (policy.status !== "ACTIVE" || compiled?.kind !== "kbac") continue;
    if (compiled.subjectType !== test.subject.type || compiled.resourceType !== test.resource.type) continue;
    const actions = compiled.actions.filter((action) => test.action === undefined || test.action === action);
    if (actions.length === 0) continue;
    count(policyKey(policy), "asked");
    for (const action of actions) count(policyKey(policy), `action ${action}`);
  }
};

/** Counts the leaves that were true for some row, and those that were not. */
const countRows = (world: World, observation: QueryObservation, policyName: string, count: Count): void => {
  const { test, explanation } = observation;
  const query = world.queries.find(({ name }) => name === test.query);
  const policy = policyOf(world, policyName);
  const countLeaf = (path: string, before: number, after: number): void => {
    const of = path.startsWith("query") ? query : policy;
    if (of === undefined) return;
    if (after > 0) count(policyKey(of), `leaf ${path} true`);
    if (after < before) count(policyKey(of), `leaf ${path} false`);
  };
  for (const { path, before, after, leaves } of explanation?.rows?.filters ?? []) {
    if (leaves === undefined) countLeaf(path, before, after);
    for (const leaf of leaves ?? []) countLeaf(leaf.path, before, leaf.rows);
  }
};

const countTokenFilter = (
  key: string,
  policy: CiqPolicy,
  { test, claims, status }: QueryObservation,
  count: Count,
): void => {
  const { tokenFilter } = policy;
  if (tokenFilter === undefined || (status !== 200 && status !== 401)) return;
  countLeaves(key, tokenFilter, { inputParams: test.params, token: claims }, count);
};

const countQuery = (world: World, observation: QueryObservation, count: Count): void => {
  const { test, status, explanation } = observation;
  const query = world.queries.find(({ name }) => name === test.query);
  const policy = query && policyOf(world, query.policy);
  if (query === undefined || policy?.compiled?.kind !== "ciq") return;
  const key = policyKey(policy);
  count(policyKey(query), "asked");
  count(key, "asked");
  countTokenFilter(key, policy.compiled, observation, count);
  if (status === 401) count(key, "denied");
  if (explanation === undefined) return;
  const { outcome, part } = explanation;
  if (outcome === "rows") count(key, "granted");
  else if (outcome !== "unknown") count(key, "denied");
  if (part?.certain === true) count(key, partKey(part.from));
  countRows(world, observation, policy.name, count);
};

/** Counts the units that one test covers. */
export const observe = (world: World, observation: Observation, count: Count): void => {
  switch (observation.kind) {
    case "decision":
      return countDecision(world, observation, count);
    case "search":
      return countSearch(world, observation, count);
    case "query":
      return countQuery(world, observation, count);
  }
};

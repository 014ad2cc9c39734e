import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { StoredKbacPolicy } from "@ikg/catalog";
import {
  newGid,
  type ChangeSetEntry,
  ChangeSetEntries,
  type Simulation,
  type SimulationRequest,
} from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import { compileKbac } from "@ikg/policy-core";
import { elementIdsOf } from "@ikg/query-rows";
import {
  anyCost,
  failure,
  filterPasses,
  inputsOf,
  isFuzzing,
  isLong,
  type KbacGroup,
  kbacGroup,
  kbacJson,
  type KbacSpec,
  type Kind,
  patternMatches,
  type Verdict,
  type World,
  worldOf,
} from "./drawn-cases.ts";
import { openDecide } from "../src/decisions/decide.ts";
import { progressTokens } from "../src/simulations/progress-tokens.ts";
import { openSimulate } from "../src/simulations/simulate.ts";
import { snapshotOf } from "./policies.ts";
import { projectOf } from "./project.ts";

const tokens = progressTokens(randomBytes(32));

interface Place {
  readonly graph: Graph;
  readonly pk: ProjectKey;
  readonly world: World;
  readonly group: KbacGroup;
}

const givenOf = ({ group }: Place): KbacGroup["inputs"][number] => {
  const [given] = group.inputs;
  if (given === undefined) throw new Error("a group without inputs");
  return given;
};

/** What a request brings, in the form that a simulation takes. */
const inputsFor = (place: Place): NonNullable<SimulationRequest["inputs"]> => {
  const { inputParams, token, request } = inputsOf(givenOf(place));
  const properties = (entity: string) =>
    (request as Record<string, { properties?: Record<string, unknown> }> | undefined)?.[entity]?.properties;
  return {
    input_params: inputParams,
    token,
    signed_in: undefined,
    request: {
      subject: properties("subject"),
      resource: properties("resource"),
      action: properties("action"),
      context: request?.["context"] as Record<string, unknown> | undefined,
    },
  };
};

const stored = (spec: KbacSpec, name: string): StoredKbacPolicy | undefined => {
  const text = JSON.stringify(kbacJson(spec));
  const checked = compileKbac(text, anyCost);
  if (!checked.ok) return undefined;
  const id = newGid("authorization_policy");
  return { id, name, version: 1, tags: [], text, policy: checked.value };
};

/** Whether the evaluator grants a pair by these policies: the rule of tokens, filters, then patterns. */
const isGranted = (
  place: Place,
  policies: readonly KbacSpec[],
  subject: string,
  resource: string,
): boolean => {
  const given = givenOf(place);
  const { token } = inputsOf(given);
  const refuses = policies.some(({ version }) => version === "3.0-kbac");
  if (refuses && token !== undefined && token["sub"] !== subject) return false;
  return policies.some(
    (spec) =>
      filterPasses(spec, given, subject, resource) &&
      patternMatches(spec, place.world, given, subject, resource),
  );
};

const sameTypes = (a: KbacSpec, b: KbacSpec): boolean =>
  a.subjectType === b.subjectType && a.resourceType === b.resourceType;

/** Pairs whose decision differs, for every question that a changed policy names. */
const differing = (
  place: Place,
  changed: readonly KbacSpec[],
  before: readonly KbacSpec[],
  after: readonly KbacSpec[],
) => {
  const gained: string[] = [];
  const lost: string[] = [];
  const granted = { before: 0, after: 0 };
  const kinds = changed.filter(
    (spec, index) => changed.findIndex((other) => sameTypes(other, spec)) === index,
  );
  const idsOf = (type: string) =>
    place.group.graph.nodes.filter((node) => node.type === type).map(({ id }) => id);
  for (const kind of kinds) {
    const [old, next] = [before, after].map((list) => list.filter((spec) => sameTypes(spec, kind)));
    for (const subject of idsOf(kind.subjectType))
      for (const resource of idsOf(kind.resourceType)) {
        const pair = `${kind.subjectType}/${subject} ${kind.resourceType}/${resource}`;
        const was = isGranted(place, old ?? [], subject, resource);
        const is = isGranted(place, next ?? [], subject, resource);
        granted.before += was ? 1 : 0;
        granted.after += is ? 1 : 0;
        if (is && !was) gained.push(pair);
        if (was && !is) lost.push(pair);
      }
  }
  return { gained: gained.toSorted().join(", "), lost: lost.toSorted().join(", "), granted };
};

const simulated = async (
  { graph, pk, ...place }: Place,
  before: readonly StoredKbacPolicy[],
  changes: readonly ChangeSetEntry[],
) => {
  const simulate = openSimulate({
    graph,
    idsOf: elementIdsOf(randomBytes(32)),
    decide: openDecide(graph),
    switches: {},
    budget: anyCost,
    tokens,
  });
  const request: SimulationRequest = {
    project_id: newGid("project"),
    changes: [...changes],
    scope: undefined,
    inputs: inputsFor({ graph, pk, ...place }),
    budget_ms: 80_000,
    examples: 100,
    seed: undefined,
    next: undefined,
    questions: undefined,
    queries: undefined,
  };
  let answer: Simulation | undefined;
  const run = await simulate(snapshotOf(projectOf(pk), before), request, {});
  for await (const each of run()) answer = each;
  if (answer === undefined || !answer.complete) throw new Error("a simulation that did not end");
  const pairs = (side: "gained" | "lost"): string =>
    answer.questions
      .flatMap(({ subject_type, resource_type, [side]: { count, exact, examples } }) => {
        if (!exact || count !== examples.length)
          throw new Error(`${side}: ${count} pairs, ${examples.length} shown`);
        return examples.map(
          ({ subject, resource }) => `${subject_type}/${subject} ${resource_type}/${resource}`,
        );
      })
      .toSorted()
      .join(", ");
  const sum = (side: "before" | "after"): number =>
    answer.questions.reduce((total, question) => total + (question[side]?.granted ?? NaN), 0);
  return {
    gained: pairs("gained"),
    lost: pairs("lost"),
    granted: { before: sum("before"), after: sum("after") },
  };
};

const put = (name: string, spec: KbacSpec): unknown => ({
  op: "put",
  collection: "authorization-policies",
  name,
  record: { policy: kbacJson(spec), status: "ACTIVE" },
});

const named = (index: number): string => `policy-${index}a`;

/** One change of a set of policies: the policy at `index` becomes what the next one is, and back. */
const checkAt = async (place: Place, index: number): Promise<Verdict> => {
  const { policies } = place.group;
  const [spec, next] = [policies[index], policies[index + 1]];
  if (spec === undefined) throw new Error("a change without a policy");
  const before = policies.flatMap((each, at) => (at === index + 1 ? [] : (stored(each, named(at)) ?? [])));
  const isDeleted = next === undefined;
  const raw = isDeleted
    ? [{ op: "delete", collection: "authorization-policies", name: named(index) }]
    : [put(named(index), next)];
  const changes = ChangeSetEntries.parse(raw);
  const old = policies.filter((_, at) => at !== index + 1);
  const after = old.flatMap((each) => (each === spec ? (next ?? []) : [each]));
  const expected = differing(place, [spec, ...(next ? [next] : [])], old, after);
  const forth = await simulated(place, before, changes);
  if (!isDeepStrictEqual(forth, expected))
    return { kind: "differs", what: `${JSON.stringify(forth)} instead of ${JSON.stringify(expected)}` };
  const reverted = after.flatMap(
    (each, at) => stored(each, named(at === old.indexOf(spec) ? index : at + 100)) ?? [],
  );
  const back = await simulated(place, reverted, ChangeSetEntries.parse([put(named(index), spec)]));
  const swapped = {
    gained: expected.lost,
    lost: expected.gained,
    granted: { before: expected.granted.after, after: expected.granted.before },
  };
  if (!isDeepStrictEqual(back, swapped))
    return {
      kind: "differs",
      what: `reverted: ${JSON.stringify(back)} instead of ${JSON.stringify(swapped)}`,
    };
  return { kind: "agrees", interesting: expected.gained + expected.lost !== "" };
};

const isThorough = isFuzzing() || isLong();
/** Changes of each group. A change and its revert are two simulations, whose statements the database has to plan. */
export const changesPerGroup = isThorough ? 4 : 1;

/** A policy that becomes its equal is no change, and `simulations/changes.long.test.ts` has that. */
const withoutEqualNeighbours = (policies: readonly KbacSpec[]): readonly KbacSpec[] =>
  policies.filter((spec, index) => {
    const before = policies[index - 1];
    return before === undefined || !isDeepStrictEqual(kbacJson(before), kbacJson(spec));
  });

/** The pairs of a simulation are those whose decision by the evaluator differs before and after; its revert swaps them. */
export const simulationLaws: Kind<KbacGroup> = {
  // Each policy becomes the next one, and the last one is deleted: by default one change is drawn, of either kind.
  make: (draw) => {
    const group = kbacGroup(draw, { policies: isThorough ? changesPerGroup : draw.int(1, 2), inputs: 1 });
    return { ...group, policies: withoutEqualNeighbours(group.policies) };
  },
  check: async (graph, pk, group) => {
    const place = { graph, pk, group, world: worldOf(group.graph) };
    const verdicts: Verdict[] = [];
    const indexes = [...group.policies.keys()].slice(0, changesPerGroup);
    for (const index of indexes) verdicts.push(await checkAt(place, index).catch(failure));
    return verdicts;
  },
  alone: (group) => group,
  tell: ({ graph, policies, inputs }) => ({
    graph,
    policies: policies.map(kbacJson),
    inputs: inputs.map((each) => inputsOf(each)),
  }),
};

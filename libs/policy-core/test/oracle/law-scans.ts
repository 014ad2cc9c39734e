import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { compileKbac, type KbacPolicy } from "../../src/index.ts";
import { differenceStatement, isScannable, isTestable, scanStatement } from "../../src/statements/index.ts";
import { isFuzzing, isLong } from "../runs.ts";
import { anyCost } from "./any-cost.ts";
import { boundRowOf, inputsOf } from "./bound.ts";
import type { Kind } from "./fuzz.ts";
import { kbacGroup, type KbacGroup, oneInput, smallGroup } from "./generate/cases.ts";
import type { Draw } from "./generate/draw.ts";
import { patternMatches } from "./outcome.ts";
import { kbacJson, type KbacSpec } from "./policy.ts";
import { failure, type Verdict } from "./verdict.ts";
import { type World, worldOf } from "./world.ts";

const options = { timeoutMs: 80_000 };

interface LawContext {
  readonly graph: Graph;
  readonly pk: ProjectKey;
  readonly world: World;
  readonly group: KbacGroup;
}

interface Compiled {
  readonly spec: KbacSpec;
  readonly policy: KbacPolicy;
}

const idsOf = ({ group }: LawContext, type: string): readonly string[] =>
  group.graph.nodes.filter((node) => node.type === type).map(({ id }) => id);

const givenOf = ({ group }: LawContext): KbacGroup["inputs"][number] => {
  const [given] = group.inputs;
  if (given === undefined) throw new Error("a group without inputs");
  return given;
};

/** Pairs that the evaluator says are granted by the first policy and not by the other one. */
const expected = (context: LawContext, found: Compiled, except: Compiled | undefined): readonly string[] => {
  const matches = ({ spec }: Compiled, subject: string, resource: string): boolean =>
    patternMatches(spec, context.world, givenOf(context), subject, resource);
  return idsOf(context, found.spec.subjectType).flatMap((subject) =>
    idsOf(context, found.spec.resourceType).flatMap((resource) =>
      matches(found, subject, resource) && !(except && matches(except, subject, resource))
        ? [`${subject} ${resource}`]
        : [],
    ),
  );
};

/** The same from the database, and the number of pairs by each of its counts. */
const scanned = async (context: LawContext, found: Compiled, except: Compiled | undefined) => {
  const { graph, pk } = context;
  const { subjectType, resourceType } = found.spec;
  const scan = { found: [found.policy], except: except ? [except.policy] : [] };
  const needs = [...scan.found, ...scan.except].map((policy) => policy.needs);
  const subjects = idsOf(context, subjectType);
  const rows = subjects.map((subject, i) => {
    const platform = { subject_type: subjectType, resource_type: resourceType, subject_external_id: subject };
    const bound = boundRowOf(needs, inputsOf(givenOf(context), platform));
    return { i, s: nodeKey(pk, subjectType, subject), f0: true, c0: true, ...bound };
  });
  const policies = await graph.shared.read(
    scanStatement(scan, pk, "policies"),
    { rows, limit: 100_000 },
    options,
  );
  const texts = [
    scanStatement(scan, pk, "counts"),
    ...(scan.except.every(isScannable) ? [differenceStatement(scan, pk)] : []),
  ];
  const counts: number[] = [];
  for (const text of texts) {
    const rowsOfCounts = await graph.shared.read(text, { rows }, options);
    counts.push(rowsOfCounts.reduce((sum, { pairs }) => sum + Number(pairs), 0));
  }
  return {
    pairs: policies.map(({ i, resource }) => `${subjects[Number(i)]} ${String(resource)}`),
    counts,
  };
};

const bag = (pairs: readonly string[]): string => pairs.toSorted().join(", ");

const check = async (
  context: LawContext,
  found: Compiled,
  except: Compiled | undefined,
): Promise<Verdict> => {
  const wanted = expected(context, found, except);
  const { pairs, counts } = await scanned(context, found, except);
  const same = bag(pairs) === bag(wanted) && counts.every((count) => count === wanted.length);
  if (same) return { kind: "agrees", interesting: wanted.length > 0 };
  return {
    kind: "differs",
    what: `scan: ${counts.join(" and ")} pairs [${bag(pairs)}] instead of [${bag(wanted)}]`,
  };
};

const compiledOf = (spec: KbacSpec | undefined): Compiled | undefined => {
  const policy = spec && compileKbac(JSON.stringify(kbacJson(spec)), anyCost);
  return spec !== undefined && policy?.ok === true ? { spec, policy: policy.value } : undefined;
};

/** One policy, compared with the next one of the group where both are about the same types. */
const checkAt = async (context: LawContext, index: number): Promise<Verdict> => {
  const [found, next] = [0, 1].map((step) => compiledOf(context.group.policies[index + step]));
  if (found === undefined) return { kind: "refused", what: "policy" };
  // What cannot be scanned is decided pair by pair, and says nothing here.
  if (!isScannable(found.policy)) return { kind: "agrees", interesting: false };
  const isComparable =
    next?.spec.subjectType === found.spec.subjectType &&
    next.spec.resourceType === found.spec.resourceType &&
    isTestable(next.policy);
  return check(context, found, isComparable ? next : undefined).catch(failure);
};

const checkGroup = async (graph: Graph, pk: ProjectKey, group: KbacGroup): Promise<readonly Verdict[]> => {
  const context = { graph, pk, group, world: worldOf(group.graph) };
  const verdicts: Verdict[] = [];
  for (const index of group.policies.keys()) verdicts.push(await checkAt(context, index));
  return verdicts;
};

/** `npm test` checks fewer cases than a group of usual size has. */
export const scanGroup = isFuzzing() || isLong() ? oneInput : smallGroup;

/** Filters are decided before the graph is asked. */
const make = (draw: Draw): KbacGroup => {
  const group = kbacGroup(draw, scanGroup);
  const policies = group.policies.map(({ version, subjectType, resourceType, clauses, style }) => {
    return { version, subjectType, resourceType, clauses, style };
  });
  return { ...group, policies };
};

/** A scan finds exactly the pairs that one policy grants and the other does not. */
export const scanLaws: Kind<KbacGroup> = {
  make,
  check: checkGroup,
  alone: (group, index) => ({ ...group, policies: group.policies.slice(index, index + 2) }),
  tell: ({ graph, policies, inputs }) => ({
    graph,
    policies: policies.map(kbacJson),
    inputs: inputs.map((given) => inputsOf(given)),
  }),
};

import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { compileKbac, evaluateFilter, type KbacPolicy, missingParameters } from "../../src/index.ts";
import { decideStatement, isBatchable, searchStatement } from "../../src/statements/index.ts";
import { boundOf, boundRowOf, inputsOf } from "./bound.ts";
import type { KbacGroup } from "./generate/cases.ts";
import type { InputsSpec } from "./model.ts";
import { filterPasses, patternMatches, searchResources, searchSubjects } from "./outcome.ts";
import { kbacJson, type KbacSpec } from "./policy.ts";
import { failure, type Verdict } from "./verdict.ts";
import { type World, worldOf } from "./world.ts";
import { anyCost } from "./any-cost.ts";

const options = { timeoutMs: 80_000 };

interface Candidate {
  readonly spec: KbacSpec;
  readonly policy: KbacPolicy;
}

interface Pair {
  readonly subject: string;
  readonly resource: string;
}

interface CheckContext {
  readonly graph: Graph;
  readonly pk: ProjectKey;
  readonly world: World;
  readonly group: KbacGroup;
  readonly pairs: readonly Pair[];
}

const idsOf = ({ graph }: KbacGroup, type: string): string[] =>
  graph.nodes.filter((node) => node.type === type).map(({ id }) => id);

/** One request of the batch. */
interface Question {
  readonly candidate: number;
  readonly pair: Pair;
  readonly given: InputsSpec;
}

const platformOf = ({ subjectType, resourceType }: KbacSpec, { subject, resource }: Partial<Pair>) => ({
  subject_type: subjectType,
  resource_type: resourceType,
  ...(subject === undefined ? {} : { subject_external_id: subject }),
  ...(resource === undefined ? {} : { resource_external_id: resource }),
});

/** Whether the filter lets the candidate take part, by policy-core. */
const filterIsTrue = ({ policy, spec }: Candidate, given: InputsSpec, pair: Partial<Pair>): boolean => {
  if (policy.filter === undefined) return true;
  const inputs = inputsOf(given, platformOf(spec, pair));
  return evaluateFilter(policy.filter.filter, boundOf([policy.filter.needs], inputs)).truth === true;
};

const rowOf = ({ pk }: CheckContext, candidates: readonly Candidate[], question: Question) => {
  const { candidate, pair, given } = question;
  const own = candidates[candidate];
  if (own === undefined) throw new Error("no such candidate");
  const { spec } = own;
  const inputs = inputsOf(given, platformOf(spec, pair));
  return {
    s: nodeKey(pk, spec.subjectType, pair.subject),
    r: nodeKey(pk, spec.resourceType, pair.resource),
    ...Object.fromEntries(
      candidates.map((each, index) => [`c${index}`, index === candidate && filterIsTrue(each, given, pair)]),
    ),
    ...boundRowOf(
      candidates.map(({ policy }) => policy.needs),
      inputs,
    ),
  };
};

/** Which questions are granted, all in one statement, or one by one in the plain form. */
const decide = async (
  context: CheckContext,
  candidates: readonly Candidate[],
  questions: readonly Question[],
  form: "row" | "plain",
): Promise<readonly boolean[]> => {
  const { graph, pk } = context;
  const { text } = decideStatement(
    candidates.map(({ policy }) => policy),
    pk,
    form,
  );
  const rows = questions.map((question, i) => ({ i, ...rowOf(context, candidates, question) }));
  const granted = new Map<unknown, unknown>();
  const note = (found: readonly Readonly<Record<string, unknown>>[]): void => {
    for (const row of found) granted.set(row["i"], row["granted_by"]);
  };
  if (form === "row") note(await graph.shared.read(text, { rows }, options));
  else for (const row of rows) note(await graph.shared.read(text, { __row: row }, options));
  return questions.map(({ candidate }, i) => granted.get(i) === candidate);
};

/** The same, or each candidate by itself when one of them makes the statement fail. */
const decideEach = async (
  context: CheckContext,
  candidates: readonly Candidate[],
  form: "row" | "plain",
): Promise<readonly (Verdict | ReadonlyMap<Question, boolean>)[]> => {
  const questionsOf = (candidate: number): Question[] =>
    context.group.inputs.flatMap((given) => context.pairs.map((pair) => ({ candidate, pair, given })));
  const split = (questions: readonly Question[], answers: readonly boolean[], candidate: number) =>
    new Map(
      questions.flatMap((question, i) =>
        question.candidate === candidate ? [[question, answers[i] === true]] : [],
      ),
    );
  try {
    const questions = candidates.flatMap((_, index) => questionsOf(index));
    const answers = await decide(context, candidates, questions, form);
    return candidates.map((_, index) => split(questions, answers, index));
  } catch (error) {
    const [only] = candidates;
    if (candidates.length === 1 || only === undefined) return [failure(error)];
    const alone = [];
    for (const candidate of candidates) alone.push(...(await decideEach(context, [candidate], form)));
    return alone;
  }
};

const search = async (
  { graph, pk }: CheckContext,
  candidate: Candidate,
  given: InputsSpec,
  target: "subject" | "resource",
  id: string,
): Promise<readonly unknown[]> => {
  const { spec, policy } = candidate;
  const pinned = target === "resource" ? { subject: id } : { resource: id };
  if (!filterIsTrue(candidate, given, pinned)) return [];
  const row = {
    s: nodeKey(pk, spec.subjectType, id),
    r: nodeKey(pk, spec.resourceType, id),
    after: "",
    limit: 100,
    ...boundRowOf([policy.needs], inputsOf(given, platformOf(spec, pinned))),
  };
  const rows = await graph.shared.read(searchStatement(policy, pk, target), { __row: row }, options);
  return rows.map((each) => each["id"]);
};

const sorted = (ids: Iterable<unknown>): string => [...ids].map(String).toSorted().join(",");

const checkSearch = async (
  context: CheckContext,
  candidate: Candidate,
  target: "subject" | "resource",
): Promise<Verdict> => {
  const { spec } = candidate;
  let found = 0;
  for (const given of context.group.inputs)
    for (const id of idsOf(context.group, target === "resource" ? spec.subjectType : spec.resourceType)) {
      const [subject, resource] = target === "resource" ? [id, undefined] : [undefined, id];
      const passes = filterPasses(spec, given, subject, resource);
      const expected = target === "resource" ? searchResources : searchSubjects;
      const required = sorted(passes ? expected(spec, context.world, given, id) : []);
      const got = sorted(await search(context, candidate, given, target, id));
      if (required !== got) {
        const what = `search for a ${target} of ${id} with inputs ${context.group.inputs.indexOf(given)}: expected [${required}], got [${got}]`;
        return { kind: "differs", what };
      }
      if (got !== "") found++;
    }
  return { kind: "agrees", interesting: found > 0 };
};

/** Expected and found decisions of one candidate. */
const compare = (
  context: CheckContext,
  { spec }: Candidate,
  found: ReadonlyMap<Question, boolean>,
  form: string,
): Verdict => {
  let granted = 0;
  for (const [{ pair, given }, got] of found) {
    const { subject, resource } = pair;
    const expected =
      filterPasses(spec, given, subject, resource) &&
      patternMatches(spec, context.world, given, subject, resource);
    if (expected) granted++;
    if (expected !== got) {
      const what = `${form} decision on ${subject} and ${resource} with inputs ${context.group.inputs.indexOf(given)}: expected ${expected}, got ${got}`;
      return { kind: "differs", what };
    }
  }
  return { kind: "agrees", interesting: granted > 0 };
};

const checkCandidates = async (
  context: CheckContext,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<KbacSpec, Verdict>> => {
  const { extent } = context.group;
  const verdicts = new Map<KbacSpec, Verdict>();
  const note = (spec: KbacSpec, verdict: Verdict): void => {
    const before = verdicts.get(spec);
    if (before === undefined || before.kind === "agrees") verdicts.set(spec, verdict);
  };
  const forms = [
    ["row", candidates.filter(({ policy }) => isBatchable(policy))],
    ["plain", candidates.filter(({ policy }) => extent.plain || !isBatchable(policy))],
  ] as const;
  for (const [form, taking] of forms) {
    if (taking.length === 0) continue;
    const found = await decideEach(context, taking, form);
    for (const [index, candidate] of taking.entries()) {
      const answers = found[index];
      if (answers === undefined) throw new Error("a candidate without an answer");
      note(candidate.spec, "kind" in answers ? answers : compare(context, candidate, answers, form));
    }
  }
  for (const candidate of candidates) {
    if (verdicts.get(candidate.spec)?.kind !== "agrees") continue;
    for (const target of ["resource", "subject"] as const) {
      if (!(target === "resource" ? extent.searchResource : extent.searchSubject)) continue;
      const before = verdicts.get(candidate.spec);
      const verdict = await checkSearch(context, candidate, target).catch(failure);
      if (verdict.kind === "agrees" && before?.kind === "agrees")
        verdicts.set(candidate.spec, {
          kind: "agrees",
          interesting: before.interesting || verdict.interesting,
        });
      else verdicts.set(candidate.spec, verdict);
    }
  }
  return verdicts;
};

/** Asks policy-core and the database everything about a group and compares with the oracle, policy by policy. */
export const checkKbacGroup = async (
  graph: Graph,
  pk: ProjectKey,
  group: KbacGroup,
): Promise<readonly Verdict[]> => {
  const refused = new Map<KbacSpec, Verdict>();
  const candidates: Candidate[] = [];
  for (const spec of group.policies) {
    const checked = compileKbac(JSON.stringify(kbacJson(spec)), anyCost);
    if (!checked.ok) refused.set(spec, { kind: "refused", what: checked.faults.join("; ") });
    else {
      const absent = group.inputs.flatMap(({ params }) =>
        missingParameters(checked.value.needs, inputsOf({ params }).inputParams),
      );
      if (absent.length > 0) refused.set(spec, { kind: "refused", what: `needs ${absent.join(", ")}` });
      else candidates.push({ spec, policy: checked.value });
    }
  }
  const [first] = group.policies;
  if (first === undefined) return [];
  const pairs = idsOf(group, first.subjectType).flatMap((subject) =>
    idsOf(group, first.resourceType).map((resource) => ({ subject, resource })),
  );
  const world = worldOf(group.graph);
  const verdicts = await checkCandidates({ graph, pk, world, group, pairs }, candidates);
  return group.policies.map((spec) => {
    const verdict = refused.get(spec) ?? verdicts.get(spec);
    if (verdict === undefined) throw new Error("a policy without a verdict");
    return verdict;
  });
};

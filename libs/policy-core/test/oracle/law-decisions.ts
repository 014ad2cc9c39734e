import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { compileKbac, type KbacPolicy } from "../../src/index.ts";
import { decideStatement, searchStatement } from "../../src/statements/index.ts";
import { boundRowOf, inputsOf } from "./bound.ts";
import type { Kind } from "./fuzz.ts";
import { kbacGroup, type KbacGroup, smallGroup } from "./generate/cases.ts";
import type { Draw } from "./generate/draw.ts";
import { kbacCases } from "./kbac-cases.ts";
import type { InputsSpec } from "./model.ts";
import { cuts } from "./law-queries.ts";
import { kbacJson, type KbacSpec } from "./policy.ts";
import { renamed } from "./rename.ts";
import { failure, type Verdict } from "./verdict.ts";
import { anyCost } from "./any-cost.ts";

const options = { timeoutMs: 80_000 };

/** Without filters, which are decided before the graph, and without SKIP and LIMIT. */
const make = (draw: Draw): KbacGroup => {
  const group = kbacGroup(draw, smallGroup);
  const policies = group.policies
    .filter(({ clauses }) => !clauses.some(cuts))
    .map(({ version, subjectType, resourceType, clauses, style }) => {
      return { version, subjectType, resourceType, clauses, style };
    });
  return { ...group, policies };
};

interface LawContext {
  readonly graph: Graph;
  readonly pk: ProjectKey;
  readonly group: KbacGroup;
  readonly given: InputsSpec;
}

const idsOf = ({ group }: LawContext, type: string): string[] =>
  group.graph.nodes.filter((node) => node.type === type).map(({ id }) => id);

/** What a request names besides the pins. */
const platform = (
  { subjectType, resourceType }: KbacSpec,
  subject: string | undefined,
  resource: string | undefined,
) => ({
  subject_type: subjectType,
  resource_type: resourceType,
  ...(subject === undefined ? {} : { subject_external_id: subject }),
  ...(resource === undefined ? {} : { resource_external_id: resource }),
});

/** Pairs that a policy grants, as texts. */
const granted = async (
  context: LawContext,
  spec: KbacSpec,
  policy: KbacPolicy,
  form: "row" | "plain",
): Promise<readonly string[]> => {
  const { graph, pk, given } = context;
  const pairs = idsOf(context, spec.subjectType).flatMap((subject) =>
    idsOf(context, spec.resourceType).map((resource) => [subject, resource] as const),
  );
  const rows = pairs.map(([subject, resource], i) => ({
    i,
    s: nodeKey(pk, spec.subjectType, subject),
    r: nodeKey(pk, spec.resourceType, resource),
    c0: true,
    ...boundRowOf([policy.needs], inputsOf(given, platform(spec, subject, resource))),
  }));
  const { text } = decideStatement([policy], pk, form);
  const answers =
    form === "row"
      ? await graph.shared.read(text, { rows }, options)
      : (await Promise.all(rows.map((row) => graph.shared.read(text, { __row: row }, options)))).flat();
  const yes = new Set(answers.filter((answer) => answer["granted_by"] === 0).map((answer) => answer["i"]));
  return pairs.flatMap((pair, i) => (yes.has(i) ? [pair.join(" ")] : []));
};

/** Does the condition read what a search leaves null? */
const readsEnds = (spec: KbacSpec): boolean =>
  /_external_id"/.test(
    JSON.stringify(spec, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each)),
  );

const found = async (
  context: LawContext,
  spec: KbacSpec,
  policy: KbacPolicy,
  sought: "subject" | "resource",
): Promise<readonly string[]> => {
  const { graph, pk, given } = context;
  const [type, text] = [
    sought === "resource" ? spec.subjectType : spec.resourceType,
    searchStatement(policy, pk, sought),
  ];
  const pairs: string[] = [];
  for (const id of idsOf(context, type)) {
    const [subject, resource] = sought === "resource" ? [id, undefined] : [undefined, id];
    const keys = { s: nodeKey(pk, type, id), r: nodeKey(pk, type, id), after: "", limit: 100 };
    const row = {
      ...keys,
      ...boundRowOf([policy.needs], inputsOf(given, platform(spec, subject, resource))),
    };
    for (const { id: other } of await graph.shared.read(text, { __row: row }, options))
      pairs.push(sought === "resource" ? `${id} ${String(other)}` : `${String(other)} ${id}`);
  }
  return pairs;
};

const bag = (pairs: readonly string[]): string => pairs.toSorted().join(", ");

const checkLaws = async (context: LawContext, spec: KbacSpec): Promise<Verdict> => {
  const compile = (each: KbacSpec) => compileKbac(JSON.stringify(kbacJson(each)), anyCost);
  // What calls subqueries is 3.0 alone.
  const calls = spec.clauses.some(({ kind }) => kind === "subquery");
  const newer: KbacSpec = {
    ...spec,
    version: spec.version === "2.0-kbac" || calls ? "3.0-kbac" : "2.0-kbac",
  };
  const [policy, other, saved] = [compile(spec), compile(renamed(spec)), compile(newer)];
  for (const each of [policy, other, saved])
    if (!each.ok) return { kind: "refused", what: each.faults.join("; ") };
  if (!policy.ok || !other.ok || !saved.ok) throw new Error("refusals were answered above");
  const { notBatchable } = policy.value.condition.analysis.report;
  const plain = bag(await granted(context, spec, policy.value, "plain"));
  const held: [string, () => Promise<readonly string[]>][] = [
    [
      "row form",
      async () =>
        notBatchable
          ? granted(context, spec, policy.value, "plain")
          : granted(context, spec, policy.value, "row"),
    ],
    ["renamed aliases", () => granted(context, spec, other.value, "plain")],
    ["the other version", () => granted(context, spec, saved.value, "plain")],
    ...(readsEnds(spec)
      ? []
      : (["resource", "subject"] as const).map((sought): [string, () => Promise<readonly string[]>] => [
          `search for a ${sought}`,
          () => found(context, spec, policy.value, sought),
        ])),
  ];
  for (const [name, ask] of held) {
    const pairs = bag(await ask());
    if (pairs !== plain) return { kind: "differs", what: `${name}: [${pairs}] instead of [${plain}]` };
  }
  return { kind: "agrees", interesting: plain !== "" };
};

/** Laws of decisions and searches, without an oracle. */
export const decisionLaws: Kind<KbacGroup> = {
  make,
  check: async (graph, pk, group) => {
    const [given] = group.inputs;
    if (given === undefined) throw new Error("a group without inputs");
    const verdicts: Verdict[] = [];
    for (const spec of group.policies)
      verdicts.push(await checkLaws({ graph, pk, group, given }, spec).catch(failure));
    return verdicts;
  },
  alone: kbacCases.alone,
  tell: kbacCases.tell,
};

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { type Answer, runStatements, explainDecision, explainRead } from "../src/explain/index.ts";
import { compileKbac, type KbacPolicy, missingParameters } from "../src/index.ts";
import type { KnowledgeQuery } from "../src/query/index.ts";
import { decideStatement, pageOf, readStatement } from "../src/statements/index.ts";
import { locatePart, partsOfQuery } from "../src/explain/query-parts.ts";
import { openTestGraph } from "./graph.ts";
import { boundRowOf, inputsOf } from "./oracle/bound.ts";
import { fuzz, type Kind, type Report } from "./oracle/fuzz.ts";
import {
  kbacGroup,
  type KbacGroup,
  queryGroup,
  type QueryGroup,
  smallGroup,
} from "./oracle/generate/cases.ts";
import type { Draw } from "./oracle/generate/draw.ts";
import type { InputsSpec } from "./oracle/model.ts";
import { compileSpec } from "./oracle/check-query.ts";
import { queryCases } from "./oracle/query-cases.ts";
import { kbacJson, type QuerySpec } from "./oracle/policy.ts";
import { failure, type Verdict } from "./oracle/verdict.ts";
import { runs, seed } from "./runs.ts";

const options = { timeoutMs: 80_000 };
const { policies: perGroup } = smallGroup;

let graph: Graph;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
afterAll(() => graph.close());

const differs = (what: string): Verdict => ({ kind: "differs", what });

/** A decision of the pattern alone, and its explanation. */
const checkOne = async (policy: KbacPolicy, pk: ProjectKey, row: object): Promise<Verdict> => {
  const ask = (statement: string): Promise<Answer> => graph.shared.read(statement, { __row: row }, options);
  const [decided] = (await ask(decideStatement([policy], pk, "plain").text)) ?? [];
  const granted = decided?.["granted_by"] === 0;
  const explanation = await runStatements(explainDecision(policy, pk), ask);
  if ((explanation.outcome === "matched") !== granted) {
    return differs(`granted ${granted}, explained ${JSON.stringify(explanation)}`);
  }
  if (explanation.outcome === "matched") return { kind: "agrees", interesting: true };
  if (explanation.outcome !== "pattern_not_matched" || !explanation.certain)
    return differs(JSON.stringify(explanation));

  // The part that halving found is the first in a walk through all of them.
  const { query, analysis, text } = policy.condition;
  const parts = partsOfQuery(query, analysis.report).map((part) => locatePart(part, text));
  const index = parts.findIndex((part) => JSON.stringify(part) === JSON.stringify(explanation.part));
  return index < 0
    ? differs(`no such part: ${JSON.stringify(explanation.part)}`)
    : { kind: "agrees", interesting: index > 0 };
};

const checkGroup = async (_: Graph, pk: ProjectKey, group: KbacGroup): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  const [given] = group.inputs;
  if (given === undefined) throw new Error("a group without inputs");
  for (const spec of group.policies) {
    const checked = compileKbac(JSON.stringify(kbacJson(spec)));
    const policy = checked.ok ? checked.value : undefined;
    // A LIMIT inside a policy may keep other rows for the explanation than it kept for the decision.
    if (
      policy === undefined ||
      policy.condition.analysis.report.cuts ||
      missingParameters(policy.needs, inputsOf(given).inputParams).length > 0
    ) {
      verdicts.push({ kind: "agrees", interesting: false });
      continue;
    }
    const idsOf = (type: string): readonly string[] =>
      group.graph.nodes.filter((node) => node.type === type).map(({ id }) => id);
    let verdict: Verdict = { kind: "agrees", interesting: false };
    for (const subject of idsOf(spec.subjectType).slice(0, 2)) {
      for (const resource of idsOf(spec.resourceType).slice(0, 2)) {
        if (verdict.kind !== "agrees") continue;
        const platform = {
          subject_type: spec.subjectType,
          resource_type: spec.resourceType,
          subject_external_id: subject,
          resource_external_id: resource,
        };
        const row = {
          i: 0,
          c0: true,
          s: nodeKey(pk, spec.subjectType, subject),
          r: nodeKey(pk, spec.resourceType, resource),
          ...boundRowOf([policy.needs], inputsOf(given, platform)),
        };
        const found = await checkOne(policy, pk, row).catch(failure);
        verdict =
          found.kind === "agrees"
            ? { kind: "agrees", interesting: verdict.interesting || found.interesting }
            : found;
      }
    }
    verdicts.push(verdict);
  }
  return verdicts;
};

const cases: Kind<KbacGroup> = {
  make: (draw) => kbacGroup(draw, smallGroup),
  check: checkGroup,
  alone: (group, index) => ({ ...group, policies: group.policies.slice(index, index + 1) }),
  tell: ({ graph: drawn, policies, inputs }) => ({
    graph: drawn,
    policy: policies[0] && kbacJson(policies[0]),
    inputs: inputs.map((given) => inputsOf(given)),
  }),
};

/** A read and its explanation. */
const checkRead = async (
  pk: ProjectKey,
  spec: QuerySpec,
  query: KnowledgeQuery,
  given: InputsSpec,
): Promise<Verdict> => {
  const inputs = inputsOf(given, {}, spec.applicationId);
  const pinned = spec.subjectType === "_Application" ? spec.applicationId : String(inputs.token?.["sub"]);
  const row = {
    s: nodeKey(pk, spec.subjectType, pinned),
    skip: 0,
    take: 1000,
    ...boundRowOf([query.needs], inputs),
  };
  const ask = (statement: string): Promise<Answer> => graph.shared.read(statement, { __row: row }, options);
  const { length } = pageOf((await ask(readStatement(query, pk).text)) ?? []);
  const explanation = await runStatements(explainRead(query, pk), ask);
  const text = JSON.stringify(explanation);
  if ((explanation.outcome === "matched") !== length > 0) return differs(`${length} rows, explained ${text}`);
  if (!("rows" in explanation))
    return { kind: "agrees", interesting: explanation.outcome === "pattern_not_matched" };
  const { rows } = explanation;
  const left = [rows?.pattern ?? -1, ...(rows?.filters ?? []).map((filter) => filter.rows)];
  const falling = left.every((count, index) => index === 0 || count <= (left[index - 1] ?? 0));
  return falling && left.at(-1) === length
    ? { kind: "agrees", interesting: true }
    : differs(`${length} rows, counted ${text}`);
};

const checkReads = async (_: Graph, pk: ProjectKey, group: QueryGroup): Promise<readonly Verdict[]> => {
  const [given] = group.inputs;
  if (given === undefined) throw new Error("a group without inputs");
  const verdicts: Verdict[] = [];
  for (const spec of group.queries) {
    const query = compileSpec(spec);
    // A LIMIT inside the policy may keep other rows from one run to the next.
    const isComparable =
      !("kind" in query) &&
      !query.policy.condition.analysis.report.cuts &&
      missingParameters(query.needs, inputsOf(given).inputParams).length === 0;
    verdicts.push(
      isComparable
        ? await checkRead(pk, spec, query, given).catch(failure)
        : { kind: "agrees", interesting: false },
    );
  }
  return verdicts;
};

const assertExplained = ({ failures, cases: count, interesting }: Report): void => {
  expect(failures.map(({ text }) => text)).toEqual([]);
  // Of a few cases the share is a matter of chance; `fuzz` goes on until one has an outcome.
  expect(interesting).toBeGreaterThan(count < 8 ? 0 : count / 4);
};

it("an explanation says what was decided", async () => {
  const options = { name: "explanations", count: runs(40, 2), seed: seed(), perGroup };
  assertExplained(await fuzz(graph, cases, options));
}, 600_000);

it("an explanation counts the rows that are read", async () => {
  const make = (draw: Draw): QueryGroup => queryGroup(draw, smallGroup);
  const reads: Kind<QueryGroup> = { ...queryCases, make, check: checkReads };
  const options = { name: "explained reads", count: runs(40, 2), seed: seed(), perGroup };
  assertExplained(await fuzz(graph, reads, options));
}, 600_000);

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ChangeSetEntry, Simulation } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { seed, timeLimit } from "../../src/drawn-cases.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { evaluateAll } from "../../src/requests/evaluate.ts";
import { findResources } from "../../src/requests/find-resources.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { simulate, trySimulation } from "../../src/requests/simulate.ts";
import { takesEffectWithinMs } from "../../src/take-effect.ts";

/** Drawn changes that are simulated, applied and compared with decisions. */
const changeSets = long(4, 200);

const persons = Array.from({ length: 5 }, (_, i) => `p${i}`);
const groups = Array.from({ length: 3 }, (_, i) => `g${i}`);
const files = Array.from({ length: 6 }, (_, i) => `f${i}`);
const actions = ["READ", "WRITE"];
const names = ["rule-a", "rule-b", "rule-c"];

/** The same numbers for the same seed: a linear congruential generator. */
const randomOf = (first: number): ((below: number) => number) => {
  let state = first % 2_147_483_648;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};
const random = randomOf(seed());

const ref = (type: string) => (external_id: string) => ({ type, external_id });
const graph = () => {
  const [p, g, f] = [persons.map(ref("Person")), groups.map(ref("Group")), files.map(ref("File"))];
  const edges = (type: string, sources: typeof p, targets: typeof p) =>
    sources.flatMap((source) =>
      targets.flatMap((target) => (random(3) === 0 ? [{ source, target, type }] : [])),
    );
  const levels = (nodes: typeof p) =>
    nodes.map((each) => ({ ...each, properties: [{ type: "level", value: random(5) }] }));
  return {
    nodes: [...levels(p), ...g, ...levels(f)],
    relationships: [...edges("MEMBER_OF", p, g), ...edges("MAY_READ", g, f), ...edges("OWNS", p, f)],
  };
};

const patterns: readonly (() => string)[] = [
  () => "MATCH (subject:Person)-[:OWNS]->(resource:File)",
  () => "MATCH (subject:Person)-[:MEMBER_OF]->(:Group)-[:MAY_READ]->(resource:File)",
  () => `MATCH (subject:Person), (resource:File) WHERE resource.property.level < ${random(5)}`,
  () =>
    "MATCH (subject:Person), (resource:File) WHERE subject.property.level > resource.property.level AND NOT EXISTS { (subject)-[:OWNS]->(resource) }",
  () =>
    `MATCH (subject:Person)-[:MEMBER_OF]->(g:Group)-[:MAY_READ]->(resource:File) WITH subject, resource, count(g) AS groups WHERE groups > ${random(2)}`,
  () => "MATCH (subject:Person)-[:MEMBER_OF|OWNS|MAY_READ*1..2]->(resource:File)",
  () => "MATCH (subject:Person), (resource:File) WHERE $resource_external_id IN ['f1', 'f2']",
];
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // below its length
const drawPolicy = () => ({
  meta: { policy_version: pick(["2.0-kbac", "3.0-kbac"]) },
  subject: { type: "Person" },
  actions: pick([["READ"], ["WRITE"], actions]),
  resource: { type: "File" },
  condition: { cypher: pick(patterns)() },
});

type Change = Extract<ChangeSetEntry, { op: "delete" } | { collection: "authorization-policies" }>;
const drawChange = (name: string): Change => {
  const collection = "authorization-policies";
  if (random(4) === 0) return { op: "delete", collection, name };
  const status = random(5) === 0 ? "INACTIVE" : "ACTIVE";
  return { op: "put", collection, name, record: { policy: drawPolicy(), status } };
};

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant("simulations");
  await capture(graph(), tenant);
});
afterAll(() => tenant?.remove());

/** The policies of the test that exist, by name. */
const ids = new Map<string, string>();

/** Names of those that read the id of the resource, which a search for resources leaves null. */
const unsearchable = new Set<string>();

const apply = async (change: Change): Promise<void> => {
  const { name } = change;
  const record = change.op === "put" ? change.record : undefined;
  if (record?.status === "ACTIVE" && JSON.stringify(record.policy).includes("$resource_external_id"))
    unsearchable.add(name);
  else unsearchable.delete(name);
  const id = ids.get(name);
  const { policies } = openAdmin(tenant.projectId);
  if (record !== undefined) {
    if (id !== undefined) await policies.update(id, () => record);
    else ids.set(name, (await policies.create({ name, ...record })).id);
  } else if (id !== undefined) {
    await policies.delete(id);
    ids.delete(name);
  }
};

const pairs = actions.flatMap((action) =>
  persons.flatMap((subject) => files.map((resource) => ({ action, subject, resource }))),
);
const nameOf = (action: string, subject: string, resource: string): string =>
  `${subject} ${action} ${resource}`;

/** Every pair that is granted, by evaluation. */
const granted = async (): Promise<readonly string[]> => {
  const questions = pairs.map(({ action, subject, resource }) => ({
    subject: { type: "Person", id: subject },
    action: { name: action },
    resource: { type: "File", id: resource },
  }));
  const decisions = await evaluateAll(questions, tenant);
  return pairs
    .filter((_, index) => decisions[index]?.decision === true)
    .map(({ action, subject, resource }) => nameOf(action, subject, resource))
    .toSorted();
};

/** Every pair that is found, by searches for the resources of each subject. */
const found = async (): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const action of actions)
    for (const subject of persons) {
      const search = { subject: { type: "Person", id: subject }, action: { name: action } };
      const results = await findResources({ ...search, resource: { type: "File" } }, tenant);
      all.push(...results.map((resource) => nameOf(action, subject, resource)));
    }
  return all.toSorted();
};

/** What is granted once the changes are made, by what a simulation reports. */
const predicted = (before: readonly string[], { complete, questions }: Simulation): readonly string[] => {
  expect({ complete, questions: complete ? [] : questions }).toEqual({ complete: true, questions: [] });
  const named = (side: "gained" | "lost"): readonly string[] =>
    questions.flatMap(({ action, [side]: { count, exact, examples } }) => {
      expect([exact, examples.length]).toEqual([true, count]);
      return examples.map(({ subject, resource }) => nameOf(action, subject, resource));
    });
  const [gained, lost] = [named("gained"), new Set(named("lost"))];
  expect(gained.filter((pair) => before.includes(pair))).toEqual([]);
  expect([...lost].filter((pair) => !before.includes(pair))).toEqual([]);
  return [...before.filter((pair) => !lost.has(pair)), ...gained].toSorted();
};

describe("a simulation through the gateway", () => {
  it(
    "reports what evaluations and searches answer when the changes are made",
    async () => {
      let before = await granted();
      expect(before).toEqual([]);
      let differing = 0;
      for (let n = 0; n < changeSets; n++) {
        const changed = names.filter((_, index) => index === n % names.length || random(2) === 0);
        const changes = changed.map(drawChange);
        const wanted = predicted(before, await simulate(tenant.projectId, changes));
        for (const change of changes) await apply(change);
        const isWanted = (all: readonly string[]): boolean => all.join() === wanted.join();
        // Each process follows a change by itself: a wrong answer stays, an early one does not.
        const after = await eventually(granted, isWanted, { withinMs: 2 * takesEffectWithinMs });
        if (unsearchable.size === 0)
          expect(await eventually(found, isWanted, { withinMs: 2 * takesEffectWithinMs })).toEqual(after);
        if (after.join() !== before.join()) differing += 1;
        before = after;
      }
      expect(differing).toBeGreaterThan(0);
    },
    timeLimit(120_000),
  );

  it("is refused for a key of an agent, another's project, and texts that cannot be saved", async () => {
    const body = { project_id: tenant.projectId, changes: [drawChange("rule-a")] };
    requireRefusal(await trySimulation(body, { Authorization: `Bearer ${tenant.key}` }), 401);
    requireRefusal(await trySimulation({ ...body, project_id: tenant.applicationId }), 422);
    const policy = { ...drawPolicy(), condition: { cypher: "RETURN 1" } };
    const put = { op: "put", collection: "authorization-policies", name: "rule-a" };
    const answer = await trySimulation({
      ...body,
      changes: [{ ...put, record: { policy, status: "ACTIVE" } }],
    });
    requireRefusal(answer, 422);
    expect(answer.text).toContain("changes[0].policy.condition.cypher");
  });

  it("answers line by line", async () => {
    const body = { project_id: tenant.projectId, changes: [drawChange("rule-new")], budget_ms: 8_000 };
    const { status, headers, text } = await trySimulation(body, { Accept: "application/x-ndjson" });
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("x-ndjson")]);
    const last = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as Simulation;
    expect(last.complete).toBe(true);
  });
});

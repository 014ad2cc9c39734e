import { expect, it } from "@jest/globals";
import { configs } from "../../src/configs.ts";
import { freshName } from "../../src/fresh-name.ts";
import { statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { requireRefusal } from "../../src/refusal.ts";
import { savePolicy, trySavePolicy } from "../../src/save-policy.ts";

const neighbours = useNeighbours();

const steps = `[${Array.from({ length: 25 }, (_, at) => at).join(",")}]`;
const tens = "[0,1,2,3,4,5,6,7,8,9]";
const nested = (depth: number, text: string): string =>
  depth === 0 ? text : `replace(${nested(depth - 1, text)}, 'x', 'xxxxxxxxxxxxxxxx')`;
const within = (depth: number): string =>
  depth === 0 ? "true" : `all(v${depth} IN ${tens} WHERE ${within(depth - 1)})`;

/** Conditions of a few characters whose value is larger, or takes more steps, than a server has memory or time for. */
const growth: readonly (readonly [string, string])[] = [
  ["text that doubles", `size(split(reduce(a = 'x,', i IN ${steps} | a + a), ',')) = 1`],
  ["a list that doubles", `size(reduce(a = ['x'], i IN ${steps} | a + a)) = 1`],
  ["a text of the call that doubles", `size(reduce(a = $text, i IN ${steps} | a + a)) = 1`],
  ["a property that doubles", `size(reduce(a = subject.property.text, i IN ${steps} | a + a)) = 1`],
  ["replacements in one another", `size(${nested(9, "'x'")}) = 1`],
  ["loops in one another", within(10)],
  [
    "lists in one another",
    `size([a IN ${tens} | [b IN ${tens} | [c IN ${tens} | [d IN ${tens} | [e IN ${tens} | [f IN ${tens} | [g IN ${tens} | [h IN ${tens} | 'x']]]]]]]]) = 1`,
  ],
];

const condition = (where: string) => `MATCH (subject:Person), (resource:Item) WHERE ${where}`;
const kbac = (where: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["GROW"],
  resource: { type: "Item" },
  condition: { cypher: condition(where) },
});
const ciq = (where: string) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: { cypher: `MATCH (subject:_Application) MATCH (resource:Item) WHERE ${where}` },
  allowed_reads: { nodes: ["resource.external_id"] },
});

it.each(growth)("%s is refused when it is saved, with its place", async (_name, where) => {
  const { projectId } = neighbours.heavy;
  for (const policy of [kbac(where), ciq(where.replaceAll("subject.property", "resource.property"))]) {
    const errors = requireRefusal(await trySavePolicy(projectId, { policy }), 422);
    expect(errors.join()).toMatch(/condition\.cypher: .*\(line 1, column \d+\)/);
  }
});

it("is refused by validation, and when a draft becomes active", async () => {
  const { projectId } = neighbours.heavy;
  const [, where = ""] = growth[0] ?? [];
  const policy = JSON.stringify(kbac(where));
  const record = { project_id: projectId, name: freshName("bomb"), policy, status: "ACTIVE" };
  requireRefusal(await configs("/authorization-policies/validate", { json: record }), 422);
  const draft = await savePolicy(projectId, { policy, status: "DRAFT" });
  requireRefusal(
    await configs(`/authorization-policies/${draft}`, { method: "PUT", json: { status: "ACTIVE" } }),
    422,
  );
});

it("costs the light tenant nothing to refuse them", async () => {
  const { projectId } = neighbours.heavy;
  const { result, faults } = await neighbours.beside(() =>
    Promise.all(growth.map(([, where]) => trySavePolicy(projectId, { policy: kbac(where) }))),
  );
  expect(statusesOf(result)).toEqual({ 422: growth.length });
  expect(faults).toEqual([]);
});

import { expect, it } from "@jest/globals";
import { configs } from "../../src/configs.ts";
import { freshName } from "../../src/fresh-name.ts";
import { inParallel } from "../../src/in-parallel.ts";
import { long } from "../../src/long.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import type { Answer } from "../../src/send.ts";

const neighbours = useNeighbours();

/** Milliseconds that one judgement of a text may take beside others. */
const judgedWithinMs = 20_000;

const policy = (cypher: string): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: ["PLAN"],
    resource: { type: "Item" },
    condition: { cypher },
  });

/** Patterns whose orders the planner compares: it takes seconds for each, and no two texts are the same. */
const patterns: readonly ((number: number) => string)[] = [
  (number) =>
    `MATCH (subject:Person), (resource:Item), ${Array.from({ length: 20 }, (_, at) => `(subject)-[:A${number}]-(n${at})-[:B]-(resource)`).join(", ")}`,
  (number) =>
    `MATCH (subject:Person)${Array.from({ length: 40 }, (_, at) => `-[:A${number}]-(n${at})`).join("")}-[:Z]-(resource:Item)`,
  (number) =>
    `MATCH (subject:Person), (resource:Item), ${Array.from({ length: 30 }, (_, at) => `(n${at}:Item {x: ${number}})`).join(", ")}`,
];

const validate = async (cypher: string): Promise<{ readonly answer: Answer; readonly ms: number }> => {
  const began = performance.now();
  const { projectId } = neighbours.heavy;
  const answer = await configs("/authorization-policies/validate", {
    json: { project_id: projectId, name: freshName("plan"), policy: policy(cypher), status: "ACTIVE" },
  });
  return { answer, ms: performance.now() - began };
};

it("a storm of validations of large patterns costs the light tenant no answer", async () => {
  const texts = Array.from({ length: long(24, 200) }, (_, at) => patterns[at % patterns.length]?.(at) ?? "");
  const { result, faults } = await neighbours.beside(() => inParallel(texts, validate));
  const answers = result.map(({ answer }) => answer);
  const slowest = Math.max(...result.map(({ ms }) => ms));
  process.stdout.write(
    `heavy tenant: ${JSON.stringify(statusesOf(answers))}, slowest ${Math.round(slowest)} ms\n`,
  );
  expect(faultyRefusals(answers)).toEqual([]);
  expect(slowest).toBeLessThan(judgedWithinMs);
  expect(faults).toEqual([]);
}, 240_000);

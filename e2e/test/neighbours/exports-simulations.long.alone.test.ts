import { beforeAll, expect, it } from "@jest/globals";
import type { ChangeSetEntry, Simulation } from "@ikg/client";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { long } from "../../src/long.ts";
import { slowPolicy } from "../../src/neighbours/heavy-tenant.ts";
import { ownersMayRead, persons } from "../../src/neighbours/light-tenant.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { repeatRequests } from "../../src/neighbours/repeat-requests.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { trySimulation } from "../../src/requests/simulate.ts";
import { takeEffect } from "../../src/take-effect.ts";

const neighbours = useNeighbours();

/** Nodes that each export has, besides those of every heavy tenant. */
const exportedNodes = long(3_000, 20_000);
const forMs = long(8_000, 30_000);
/** Milliseconds after which the light tenant's simulation must have ended. */
const simulationWithinMs = 60_000;

/** Value of X-SVC-ClientKey of an agent that may export. */
let readerKey = "";
beforeAll(async () => {
  const { heavy } = neighbours;
  readerKey = (await createAgent(heavy.applicationId, ["ReadGraph"])).key;
  const nodes = Array.from({ length: exportedNodes }, (_, at) => ({
    type: "Row",
    external_id: `row-${at}`,
    properties: [{ type: "text", value: "x".repeat(200) }],
  }));
  await capture({ nodes }, heavy);
  await takeEffect();
}, 120_000);

const putPolicy = (name: string, policy: Record<string, unknown>): ChangeSetEntry => ({
  op: "put",
  collection: "authorization-policies",
  name,
  record: { policy, status: "ACTIVE" },
});

/** Simulates that owners may review as they may read, and continues where a call had too little time. */
const simulateReviews = async (): Promise<Simulation> => {
  const { projectId, account } = neighbours.light;
  const { simulations } = openAdmin(projectId, account);
  const changes = [putPolicy("reviews", { ...ownersMayRead, actions: ["REVIEW"] })];
  const until = performance.now() + simulationWithinMs;
  for (let next: string | undefined; ;) {
    const simulation = await simulations.simulate({
      changes,
      budget_ms: 8_000,
      ...(next === undefined ? {} : { next }),
    });
    next = simulation.next;
    if (simulation.complete || next === undefined || performance.now() > until) return simulation;
  }
};

/** What the simulation of the light tenant must report: each person gains its documents. */
const reviewsAreExact = {
  complete: true,
  questions: [
    { action: "REVIEW", gained: { count: persons * persons, exact: true }, lost: { count: 0, exact: true } },
  ],
};

it("exports that one tenant repeats cost a light tenant neither an answer nor its simulation", async () => {
  const { result, faults } = await neighbours.beside(async () => {
    const [exports, simulation] = await Promise.all([
      repeatRequests(8, forMs, () => withKey("/capture/v1/export", { key: readerKey })),
      simulateReviews(),
    ]);
    return { exports, simulation };
  });
  const ended = result.exports.filter(({ status }) => status === 200);
  process.stdout.write(`answers to exports: ${JSON.stringify(statusesOf(result.exports))}\n`);
  expect(ended.length).toBeGreaterThan(0);
  expect(faultyRefusals(result.exports)).toEqual([]);
  expect(result.simulation).toMatchObject(reviewsAreExact);
  expect(faults).toEqual([]);
}, 180_000);

it("simulations that one tenant repeats cost a light tenant neither an answer nor its own simulation", async () => {
  const { heavy } = neighbours;
  const changes = [putPolicy("slow", { ...slowPolicy, actions: ["TRY"] })];
  const { result, faults } = await neighbours.beside(async () => {
    const [simulations, simulation] = await Promise.all([
      repeatRequests(8, forMs, () =>
        trySimulation({ project_id: heavy.projectId, changes, budget_ms: 5_000 }),
      ),
      simulateReviews(),
    ]);
    return { simulations, simulation };
  });
  const ended = result.simulations.filter(({ status }) => status === 200);
  process.stdout.write(`answers to simulations: ${JSON.stringify(statusesOf(result.simulations))}\n`);
  expect(ended.length).toBeGreaterThan(0);
  expect(faultyRefusals(result.simulations)).toEqual([]);
  expect(result.simulation).toMatchObject(reviewsAreExact);
  expect(faults).toEqual([]);
}, 180_000);

import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { NewTrustScoreProfile, TrustScoreProfileRecord } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { long } from "../../src/long.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";

const neighbours = useNeighbours();

/** Types of each project of the heavy organization, each with a profile, and the nodes of each type. */
const types = Array.from({ length: long(6, 20) }, (_, at) => `Row${at}`);
const nodesOfType = long(300, 2_000);
/** Milliseconds that the run of the light tenant's hundred nodes may take from its profile on. */
const runWithinMs = 30_000;
/** The heavy organization's runs are followed for so long, in milliseconds: three hours are three seconds here. */
const heavyMs = long(8_000, 30_000);

/** Projects of the heavy tenant's organization. */
const projects: Tenant[] = [];
beforeAll(async () => {
  for (let made = 0; made < long(3, 8); made++) {
    const project = await createTenant("runs");
    projects.push(project);
    for (const type of types) {
      const nodes = Array.from({ length: nodesOfType }, (_, at) => ({
        type,
        external_id: `row-${at}`,
        properties: [{ type: "text", value: `row ${at}`, metadata: { source: "id-verifier.gov" } }],
      }));
      await capture({ nodes }, project);
    }
  }
}, 600_000);
afterAll(async () => {
  for (const each of projects) await each.remove();
}, 240_000);

const profileOf = (type: string): NewTrustScoreProfile => ({
  name: `scores-${type.toLowerCase()}`,
  node_classification: type,
  schedule: "THREE_HOURS",
  dimensions: [
    { name: "ORIGIN", weight: 1 },
    { name: "COMPLETENESS", weight: 1 },
  ],
});

/** Profiles of all types of all projects, whose first runs are due at once. @returns each with its project */
const beginHeavyRuns = async (): Promise<readonly { readonly id: string; readonly projectId: string }[]> => {
  const begun = await Promise.all(
    projects.map(async ({ projectId }) => {
      const { trustScoreProfiles } = openAdmin(projectId);
      const ids: string[] = [];
      for (const type of types) ids.push((await trustScoreProfiles.create(profileOf(type))).id);
      return ids.map((id) => ({ id, projectId }));
    }),
  );
  return begun.flat();
};

/** Waits for the first run of a new profile of the light tenant. @returns the profile, and how long that took */
const runOfLightTenant = async () => {
  const { projectId, account } = neighbours.light;
  const { trustScoreProfiles } = openAdmin(projectId, account);
  const began = performance.now();
  const { id } = await trustScoreProfiles.create(profileOf("Document"));
  const profile = await eventually(
    () => trustScoreProfiles.get(id),
    ({ last_run_id }) => last_run_id !== "",
    { withinMs: 4 * runWithinMs, everyMs: 100 },
  );
  return { profile, ms: performance.now() - began };
};

const hasBegun = ({ last_run_id, current_run }: TrustScoreProfileRecord): boolean =>
  last_run_id !== "" || current_run !== undefined;

// It would also pass with turns by project: services/trust-scorer/test/turns.test.ts tests the order of turns.
it("beside many trust runs of another organization no decision of a light tenant fails, and its own run ends in time", async () => {
  const { result, faults } = await neighbours.beside(async () => {
    const began = performance.now();
    const heavy = await beginHeavyRuns();
    const { profile, ms } = await runOfLightTenant();
    await pause(Math.max(0, heavyMs - (performance.now() - began)));
    const others = await Promise.all(
      heavy.map(({ id, projectId }) => openAdmin(projectId).trustScoreProfiles.get(id)),
    );
    return { profile, ms, begun: others.filter(hasBegun).length };
  });
  process.stdout.write(
    `the light tenant's run after ${Math.round(result.ms)} ms, beside ${result.begun} profiles with runs\n`,
  );
  expect(result.begun).toBeGreaterThan(0);
  expect(result.profile).toMatchObject({
    last_run_id: expect.stringMatching(/./),
    last_run_end_time: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(result.ms).toBeLessThan(runWithinMs);
  expect(faults).toEqual([]);
}, 360_000);

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ResultRow, TrustScoreProfileRecord } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs } from "../../src/requests/configs.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { execute } from "../../src/requests/execute.ts";
import { findResources } from "../../src/requests/find-resources.ts";

/** Three hours of a schedule are three seconds here, and a machine may be busy. */
const runLimits = { withinMs: 60_000, everyMs: 100 };

let tenant: Tenant;
let all: string;
let trusted: string;
let around: string;

const person = (external_id: string, source: string, verified: boolean) => ({
  type: "Person",
  external_id,
  properties: ["email", "name"].map((type) => ({
    type,
    value: `${type} of ${external_id}`,
    metadata: { source, ...(verified ? { verified_time: new Date().toISOString() } : {}) },
  })),
});

const scores = ["p.external_id", "p.trust_score.*"];
const policy = (filter?: object) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: {
    cypher: "MATCH (subject:_Application) MATCH (p:Person)",
    ...(filter === undefined ? {} : { filter: [filter] }),
  },
  allowed_reads: { nodes: scores },
});

const read = async (id: string): Promise<readonly ResultRow[]> => execute({ id }, tenant);

const ask = async (id: string): Promise<Record<string, Record<string, unknown>>> => {
  const rows = await read(id);
  return Object.fromEntries(rows.map(({ nodes }) => [String(nodes["p.external_id"]), nodes]));
};

const profileOf = (id: string): Promise<TrustScoreProfileRecord> => openAdmin().trustScoreProfiles.get(id);

/** Waits until a run has ended that is another one than this. */
const runAfter = (id: string, former: unknown): Promise<TrustScoreProfileRecord> =>
  eventually(
    () => profileOf(id),
    ({ last_run_id }) => last_run_id !== former,
    runLimits,
  );

/** Waits until a run has given this node this score. */
const untilScored = async (node: string, score: number | null): Promise<void> => {
  const found = async () => (await ask(all))[node]?.["p.trust_score._final_score"];
  await eventually(found, (last) => last === score, runLimits);
};

beforeAll(async () => {
  tenant = await createTenant("trust");
  await capture(
    {
      nodes: [person("a", "id-verifier.gov", true), person("b", "user-self-attested", false)],
      relationships: [
        {
          source: { type: "Person", external_id: "a" },
          target: { type: "Person", external_id: "b" },
          type: "KNOWS",
        },
      ],
    },
    tenant,
  );
  const filter = { attribute: "p.trust_score._final_score", operator: ">", value: 0.66 };
  const save = async (filter?: object): Promise<string> =>
    saveQuery(tenant.projectId, {
      policyId: await savePolicy(tenant.projectId, { policy: policy(filter) }),
      query: { nodes: scores },
    });
  all = await save();
  trusted = await save(filter);
  const anything = {
    ...policy(),
    condition: { cypher: "MATCH (subject:_Application) MATCH (p:Person)-[r]->(x)" },
    allowed_reads: { nodes: ["p.external_id", "x.external_id"] },
  };
  around = await saveQuery(tenant.projectId, {
    policyId: await savePolicy(tenant.projectId, { policy: anything }),
    query: { nodes: ["p.external_id", "x.external_id"] },
  });
  await savePolicy(tenant.projectId, {
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Person" },
      actions: ["SEE"],
      resource: { type: "Person" },
      condition: { cypher: "MATCH (subject:Person)-[:KNOWS]->(resource:Person)" },
    },
  });
});
afterAll(async () => {
  await tenant.remove();
});

describe("trust scores", () => {
  it("are null before there is a profile, and pass no filter", async () => {
    const before = await ask(all);
    expect(before["a"]).toEqual({
      "p.external_id": "a",
      "p.trust_score._final_score": null,
      "p.trust_score._validity": null,
      "p.trust_score._verification": null,
      "p.trust_score._freshness": null,
      "p.trust_score._origin": null,
      "p.trust_score._completeness": null,
    });
    expect(await ask(trusted)).toEqual({});
  });

  it("come with a profile, follow it on schedule, and go with it", async () => {
    const { trustScoreProfiles } = openAdmin(tenant.projectId);
    const { id, last_run_id: before } = await trustScoreProfiles.create({
      name: "persons",
      node_classification: "Person",
      schedule: "THREE_HOURS",
      dimensions: [
        { name: "VERIFICATION", weight: 1 },
        { name: "ORIGIN", weight: 1 },
      ],
    });
    expect(before).toBe("");
    const first = await runAfter(id, "");
    expect(first).toMatchObject({
      last_run_start_time: expect.stringMatching(/^\d{4}-.*Z$/),
      last_run_end_time: expect.stringMatching(/^\d{4}-.*Z$/),
      dimensions_execution_times: {
        VERIFICATION: { execution_start_time: first.last_run_start_time },
        ORIGIN: { execution_end_time: first.last_run_end_time },
      },
      update_time: first.create_time,
    });
    await requireScores();
    await requirePersonsAlone();

    await trustScoreProfiles.update(id, () => ({ dimensions: [{ name: "ORIGIN", weight: 1 }] }));
    // A run may have begun before the change.
    await untilScored("a", 0.75);
    expect((await ask(all))["a"]).toMatchObject({ "p.trust_score._verification": null });

    await trustScoreProfiles.delete(id);
    await untilScored("b", null);
    expect(await ask(trusted)).toEqual({});
    expect((await configs(`/trust-score-profiles/${id}`)).status).toBe(404);
  });

  const requireScores = async (): Promise<void> => {
    const scored = await ask(all);
    expect(Object.keys(scored).sort()).toEqual(["a", "b"]);
    expect(scored["a"]).toMatchObject({
      "p.trust_score._final_score": 0.875,
      "p.trust_score._verification": 1,
      "p.trust_score._origin": 0.75,
      "p.trust_score._freshness": null,
    });
    expect(scored["b"]).toMatchObject({ "p.trust_score._final_score": 0.2 });
    expect(Object.keys(await ask(trusted))).toEqual(["a"]);
  };

  /** Searches and queries of persons, and even queries of nodes of any type, return no score nodes. */
  const requirePersonsAlone = async (): Promise<void> => {
    const found = await findResources(
      { subject: { type: "Person", id: "a" }, action: { name: "SEE" }, resource: { type: "Person" } },
      tenant,
    );
    expect(found).toEqual(["b"]);
    expect(await read(around)).toEqual([{ nodes: { "p.external_id": "a", "x.external_id": "b" } }]);
  };

  it("cannot be written by callers", async () => {
    const answer = await withKey("/capture/v1/nodes", tenant, {
      json: { nodes: [{ type: "_TrustScore", external_id: "x" }] },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

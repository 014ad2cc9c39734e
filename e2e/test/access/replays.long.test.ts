import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ChangeSetEntry, Replay } from "@ikg/client";
import { openCensus } from "../../src/configuration/census.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { type AuditRecord, auditRecordsWith } from "../../src/requests/audit-records.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";
import { ownAccount } from "../../src/requests/configs.ts";
import { type Credentials, withKey } from "../../src/requests/data-plane.ts";
import { evaluate } from "../../src/requests/evaluate.ts";
import { must } from "../../src/requests/must.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { type Answer, send } from "../../src/requests/send.ts";
import { takeEffect } from "../../src/take-effect.ts";

let tenant: Tenant;
let auditor: Credentials;
let policyId: string;
let records: readonly AuditRecord[];

const person = { type: "Person", external_id: "ann" };
const cars = ["red", "blue"].map((external_id) => ({ type: "Car", external_id }));
const owns = { source: person, target: { type: "Car", external_id: "red" }, type: "OWNS" };
const question = (car: string, limit: number) => ({
  subject: { type: "Person", id: "ann" },
  action: { name: "DRIVE" },
  resource: { type: "Car", id: car },
  context: { input_params: { limit } },
});
const policy = (cypher: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["DRIVE"],
  resource: { type: "Car" },
  condition: { cypher },
});
const owners = policy("MATCH (subject)-[:OWNS]->(resource) WHERE $limit > 100");

const tryReplay = (json: object, token = ownAccount().token): Promise<Answer> =>
  send("/access/v1/replays", { json, headers: { Authorization: `Bearer ${token}` } });
const replay = (changes?: readonly ChangeSetEntry[]): Promise<Replay> =>
  openAdmin(tenant.projectId).simulations.replay({ records, ...(changes && { changes }) });
const verdictsOf = ({ results }: Replay): readonly string[] => results.map(({ verdict }) => verdict);

const isDecision = ({ type }: AuditRecord): boolean => /^audit\.authorization\.evaluations?$/.test(type);

beforeAll(async () => {
  tenant = await createTenant("replays");
  auditor = await createAgent(tenant.applicationId, ["Audit"]);
  policyId = await savePolicy(tenant.projectId, { policy: owners });
  await capture({ nodes: [person, ...cars], relationships: [owns] }, tenant);
  await evaluate(question("red", 200), tenant);
  const { resource: _, ...defaults } = question("red", 200);
  const evaluations = cars.map(({ type, external_id: id }) => ({ resource: { type, id } }));
  must(await withKey("/access/v1/evaluations", tenant, { json: { ...defaults, evaluations } }), 200);
  const all = await auditRecordsWith(tenant.projectId, auditor, (kept) =>
    kept.filter(isDecision).length < 2 ? ["decisions"] : [],
  );
  records = all.filter(isDecision).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}, 120_000);
afterAll(() => tenant?.remove());

describe("replays of exported records", () => {
  it("say `same` as long as nothing changes, and write nothing", async () => {
    const census = await openCensus(tenant);
    const before = await census();
    const answer = await replay();
    expect(verdictsOf(answer)).toEqual(["same", "same", "same"]);
    expect(answer.results.map(({ entry, then, now }) => [entry, then, now])).toEqual([
      [undefined, true, true],
      [0, true, true],
      [1, false, false],
    ]);
    expect(await census()).toEqual(before);
    const note = await auditRecordsWith(tenant.projectId, auditor, (kept) =>
      kept.some(({ type }) => type === "audit.authorization.replay") ? [] : ["audit.authorization.replay"],
    );
    expect(note.find(({ type }) => type === "audit.authorization.replay")?.data).toEqual({ records: 2 });
  }, 120_000);

  it("say what changes would decide", async () => {
    const { name } = await openAdmin().policies.get(policyId);
    const answer = await replay([{ op: "delete", collection: "authorization-policies", name }]);
    expect(answer.results.map(({ verdict, with_changes }) => [verdict, with_changes])).toEqual([
      ["same", false],
      ["same", false],
      ["same", false],
    ]);
  });

  it("say `policy_changed` after a change of the policy, `graph_changed` after one of the graph", async () => {
    const lending = policy("MATCH (subject)-[:LENDS]->(resource)");
    await openAdmin().policies.update(policyId, () => ({ policy: lending, status: "ACTIVE" }));
    await takeEffect();
    expect(verdictsOf(await replay())).toEqual(["policy_changed", "policy_changed", "same"]);
    await openIkg(tenant).capture.deleteRelationships([owns]);
    expect(verdictsOf(await replay())).toEqual(["graph_changed", "graph_changed", "same"]);
  });

  it("find the versions of a policy that was deleted since in its change records", async () => {
    await openAdmin().policies.delete(policyId);
    await takeEffect();
    expect(verdictsOf(await replay())).toEqual(["graph_changed", "graph_changed", "same"]);
  });

  it("say `not_replayable` for the records of another project", async () => {
    const other = await createTenant("replays-other");
    try {
      const answer = await openAdmin(other.projectId).simulations.replay({ records });
      expect(answer.results.map(({ because }) => because?.reason)).toEqual([
        "other_project",
        "other_project",
      ]);
    } finally {
      await other.remove();
    }
  });

  it("are open to viewers, and to no caller without a service account", async () => {
    const { organizationId } = ownAccount();
    const viewer = await openAdmin().serviceAccounts.create({
      organization_id: organizationId,
      name: freshName("viewer"),
      role: "all_viewer",
    });
    try {
      const made = await openAdmin().serviceAccountCredentials.create({
        service_account_id: viewer.id,
      });
      const { token = "" } = made.service_account_config ?? {};
      await openAdmin(tenant.projectId, { token }).simulations.replay({ records });
    } finally {
      await openAdmin().serviceAccounts.delete(viewer.id);
    }
    requireRefusal(await withKey("/access/v1/replays", tenant, { json: { records } }), 401);
    requireRefusal(await tryReplay({ project_id: "gid:AAAAAgAAAAAAAAAAAAAAAAAAAAI", records }), 404);
    const wrong = requireRefusal(
      await tryReplay({
        project_id: tenant.projectId,
        records: [{ ...records[0], type: "audit.ciq.execute" }],
      }),
      422,
    );
    expect(JSON.stringify(wrong)).toContain("records[0].type: one of audit.authorization.evaluation, ");
  });
});

import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { kbac } from "../../src/configuration/samples.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { freshName } from "../../src/fresh-name.ts";
import { auditRecordsOf } from "../../src/requests/audit-records.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";
import { type ConfigRecord, ownAccount } from "../../src/requests/configs.ts";
import { must } from "../../src/requests/must.ts";
import { type Answer, send, type Sending } from "../../src/requests/send.ts";
import { type PeopleSuite, servicesOfPeople, startPeopleSuite } from "../../src/suites/people-suite.ts";

/** A person signs in at an OpenID provider and administers a project; the audit trail names the person. */
const group = freshName("security");

let suite: PeopleSuite;
let tenant: Tenant;
let binding: { readonly id: string };

beforeAll(async () => {
  suite = await startPeopleSuite([group], {}, servicesOfPeople);
  tenant = await createTenant("people");
  binding = await openAdmin().roleBindings.create({
    subject: { claim: "groups", value: group },
    role: "editor",
    project_id: tenant.projectId,
  });
}, 120_000);
afterAll(async () => {
  await tenant?.remove();
  await suite?.close();
});

const sendAs = async (sub: string, path: string, sending: Sending = {}): Promise<Answer> => {
  const headers = { Authorization: `Bearer ${await suite.provider.accessToken(sub)}` };
  return send(path, { ...sending, base: suite.base, headers });
};
const asPerson = (path: string, sending: Sending = {}): Promise<Answer> =>
  sendAs("ann", `/configs/v1${path}`, sending);

describe("a person who edits a project", () => {
  it("is the author of a record, and the actor of its audit record", async () => {
    const json = { project_id: tenant.projectId, name: freshName("app") };
    const made = must<ConfigRecord>(await asPerson("/applications", { json }), 201);
    expect(made["created_by"]).toBe(`${suite.provider.issuer}#ann`);
    const isOurs = ({ data, type }: { readonly type: string; readonly data: object }): boolean =>
      type === "audit.config.create" && "id" in data && data.id === made.id;
    const records = await auditRecordsOf(ownAccount(), tenant.projectId, (all) =>
      all.some(isOurs) ? [] : ["the record"],
    );
    expect(records.find(isOurs)?.actor).toEqual({
      type: "user",
      issuer: suite.provider.issuer,
      sub: "ann",
      name: "Ann Archer",
    });
    const given = records.find(({ data }) => data["id"] === binding.id);
    expect(given?.data["binding"]).toEqual({ role: "editor", subject: { claim: "groups", value: group } });
  }, 90_000);

  it("may do nothing any more once the role is taken", async () => {
    const path = `/projects/${tenant.projectId}`;
    expect((await asPerson(path)).status).toBe(200);
    await openAdmin().roleBindings.delete(binding.id);
    await eventually(
      async () => (await asPerson(path)).status,
      (status) => status === 403,
      { everyMs: 0 },
    );
  });
});

/** Requests to the services besides configs: the role that permits each, and the type of the audit record that it leaves. */
const requestsOf = (
  project_id: string,
): readonly (readonly [role: string, type: string | undefined, path: string, sending?: Sending])[] => {
  const put = { op: "put", collection: "authorization-policies", name: "tried" };
  const record = { policy: kbac("READ"), status: "ACTIVE", tags: [] };
  const replayed = { id: "0198c9a0-0000-7000-8000-000000000000", project_id };
  return [
    ["data_viewer", "audit.graph.read", `/graph/v1/nodes/Person/ann?project_id=${project_id}`],
    ["data_viewer", "audit.capture.export", `/capture/v1/export?project_id=${project_id}`],
    [
      "policy_author",
      "audit.authorization.simulation",
      "/access/v1/simulations",
      { json: { project_id, changes: [{ ...put, record }], budget_ms: 100 } },
    ],
    [
      "auditor",
      "audit.authorization.replay",
      "/access/v1/replays",
      { json: { project_id, records: [{ ...replayed, type: "audit.authorization.replay" }] } },
    ],
    // Besides the role of replays it needs that of simulations, which is given last.
    [
      "policy_author",
      undefined,
      "/access/v1/replays",
      {
        json: {
          project_id,
          records: [{ ...replayed, type: "audit.authorization.replay" }],
          changes: [{ ...put, record }],
        },
      },
    ],
    ["auditor", undefined, `/audit/v1/manifests?project_id=${project_id}`],
  ];
};

describe("a person with roles in a project", () => {
  it("reaches graph, export, simulations, replays and the audit trail by them alone, and is the actor of the records", async () => {
    const readers = freshName("readers");
    suite.provider.people.set("dee", { groups: [readers], name: "Dee" });
    await openIkg(tenant).capture.nodes([{ type: "Person", external_id: "ann" }]);
    const requests = requestsOf(tenant.projectId);
    const given = new Set<string>();
    const statuses = async () => {
      const found = [];
      for (const [, , path, sending] of requests)
        found.push([path, (await sendAs("dee", path, sending)).status]);
      return found;
    };
    const untilAsGiven = async (): Promise<void> => {
      const expected = requests.map(([role, , path]) => [path, given.has(role) ? 200 : 403]);
      await eventually(statuses, (found) => isDeepStrictEqual(found, expected), { withinMs: 10_000 });
    };
    await untilAsGiven();
    for (const role of ["data_viewer", "auditor", "policy_author"] as const) {
      await openAdmin().roleBindings.create({
        subject: { claim: "groups", value: readers },
        role,
        project_id: tenant.projectId,
      });
      given.add(role);
      await untilAsGiven();
    }
    const dee = { type: "user", issuer: suite.provider.issuer, sub: "dee", name: "Dee" };
    const types = requests.flatMap(([, type]) => type ?? []);
    const actorsOf = (records: Awaited<ReturnType<typeof auditRecordsOf>>, wanted: string) =>
      records.filter(({ type }) => type === wanted).map(({ actor }) => actor);
    const records = await auditRecordsOf(ownAccount(), tenant.projectId, (all) =>
      types.filter((type) => actorsOf(all, type).length === 0),
    );
    for (const type of types)
      for (const actor of actorsOf(records, type)) expect([type, actor]).toEqual([type, dee]);
  }, 120_000);
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { auditRecordsOf } from "../src/audit-records.ts";
import { openAdmin } from "../src/clients.ts";
import { type ConfigRecord, ownAccount } from "../src/configs.ts";
import { type PeopleSuite, startPeopleSuite } from "../src/fixtures/people-suite.ts";
import { freshName } from "../src/fresh-name.ts";
import { must } from "../src/must.ts";
import { type Answer, send, type Sending } from "../src/send.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";

/** A person signs in at an OpenID provider and administers a project; the audit trail names the person. */
const group = freshName("security");

let suite: PeopleSuite;
let tenant: Tenant;
let binding: { readonly id: string };

beforeAll(async () => {
  suite = await startPeopleSuite([group]);
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

const asPerson = async (path: string, sending: Sending = {}): Promise<Answer> => {
  const headers = { Authorization: `Bearer ${await suite.provider.accessToken("ann")}` };
  return send(`/configs/v1${path}`, { ...sending, base: suite.base, headers });
};

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
    const started = Date.now();
    while ((await asPerson(path)).status !== 403)
      if (Date.now() - started > 2_000) throw new Error("still allowed after 2 s");
  });
});

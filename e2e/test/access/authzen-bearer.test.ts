import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ownersMay } from "../../src/configuration/owners-may.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { capture } from "../../src/requests/capture.ts";
import { expectRefusal } from "../../src/requests/envelope.ts";
import { type Answer, send } from "../../src/requests/send.ts";

/**
 * Clients of AuthZEN that know one header only, as the published interoperability runners do: they send what they are
 * given in `Authorization`, and nothing else that tells who they are.
 */
let tenant: Tenant;

const ann = { type: "Person", id: "ann" };
const door = (id: string) => ({ type: "Door", id });
const action = { name: "OPEN" };

beforeAll(async () => {
  tenant = await createTenant("authzen-bearer");
  await capture(
    {
      nodes: [
        { type: "Person", external_id: "ann" },
        ...["d1", "d2"].map((external_id) => ({ type: "Door", external_id })),
      ],
      relationships: [
        {
          source: { type: "Person", external_id: "ann" },
          target: { type: "Door", external_id: "d1" },
          type: "OWNS",
        },
      ],
    },
    tenant,
  );
  await savePolicy(tenant.projectId, ownersMay("OPEN"));
});
afterAll(() => tenant?.remove());

const ask = (path: string, json: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  send(path, { json, headers: { Authorization: `Bearer ${tenant.key}`, ...headers } });

describe("a client of AuthZEN with its key as the bearer", () => {
  it.each([
    ["evaluation", { subject: ann, action, resource: door("d1") }, { decision: true }],
    ["evaluation", { subject: ann, action, resource: door("d2") }, { decision: false }],
    [
      "evaluations",
      { subject: ann, action, evaluations: [{ resource: door("d1") }, { resource: door("d2") }] },
      { evaluations: [{ decision: true }, { decision: false }] },
    ],
    ["search/resource", { subject: ann, action, resource: { type: "Door" } }, { results: [door("d1")] }],
    ["search/subject", { subject: { type: "Person" }, action, resource: door("d1") }, { results: [ann] }],
    ["search/action", { subject: ann, resource: door("d1") }, { results: [action] }],
  ])("asks for %s %j", async (path, json, expected) => {
    const { status, body } = await ask(`/access/v1/${path}`, json);
    expect([status, body]).toEqual([200, expect.objectContaining(expected)]);
  });

  it("writes and queries as well, and learns which permission its agent lacks", async () => {
    const written = await ask("/capture/v1/nodes", { nodes: [{ type: "Door", external_id: "d3" }] });
    expect(written.status).toBe(200);
    expect((await ask("/ciq/v1/execute", { id: "nothing-of-the-kind" })).status).toBe(404);
    const records = await send("/audit/v1/logs", { headers: { Authorization: `Bearer ${tenant.key}` } });
    expectRefusal(records, { status: 403, message: "permission missing: Audit" });
  });

  it("sends no key in a second place", async () => {
    const question = { subject: ann, action, resource: door("d1") };
    const twice = await ask("/access/v1/evaluation", question, { "X-SVC-ClientKey": tenant.key });
    expect(twice.status).toBe(400);
    expect(twice.text).not.toContain(tenant.key);
  });

  it("does not open the configuration", async () => {
    const { status } = await send("/configs/v1/projects", {
      headers: { Authorization: `Bearer ${tenant.key}` },
    });
    expect(status).toBe(401);
  });
});

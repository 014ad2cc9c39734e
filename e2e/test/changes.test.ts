import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { AppliedChanges } from "@ikg/contracts";
import { capture } from "../src/capture.ts";
import { configs } from "../src/configs.ts";
import { withKey } from "../src/data-plane.ts";
import { eventually } from "../src/eventually.ts";
import { must } from "../src/must.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant("changes");
  const ann = { type: "Person", external_id: "ann" };
  const car = { type: "Car", external_id: "beetle" };
  await capture({ nodes: [ann, car], relationships: [{ source: ann, target: car, type: "OWNS" }] }, tenant);
});
afterAll(() => tenant?.remove());

const mayDrive = {
  op: "put",
  collection: "authorization-policies",
  name: "may-drive",
  record: {
    status: "ACTIVE",
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Person" },
      actions: ["DRIVE"],
      resource: { type: "Car" },
      condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
    },
  },
};
const cars = {
  op: "put",
  collection: "authorization-policies",
  name: "cars",
  record: {
    status: "ACTIVE",
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Person" },
      condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(car:Car)" },
      allowed_reads: { nodes: ["car.external_id"] },
    },
  },
};
const myCars = {
  op: "put",
  collection: "knowledge-queries",
  name: "my-cars",
  record: { policy: "cars", status: "ACTIVE", query: { nodes: ["car.external_id"] } },
};

const apply = async (...changes: readonly object[]): Promise<AppliedChanges> =>
  must(await configs("/changes", { json: { project_id: tenant.projectId, changes } }), 200);

const mayAnn = async (): Promise<boolean> => {
  const json = {
    subject: { type: "Person", id: "ann" },
    action: { name: "DRIVE" },
    resource: { type: "Car", id: "beetle" },
  };
  return must<{ decision: boolean }>(await withKey("/access/v1/evaluation", tenant, { json }), 200).decision;
};

describe("change sets through the gateway", () => {
  it("are applied, heard by the services, reverted and rolled back", async () => {
    const applied = await apply(mayDrive, cars, myCars);
    expect(applied.changes).toHaveLength(3);
    expect(await eventually(mayAnn, (may) => may)).toBe(true);
    const [policy, , query] = applied.changes;

    const inactive = { ...mayDrive, record: { ...mayDrive.record, status: "INACTIVE" } };
    const second = await apply(inactive, { ...myCars, record: { ...myCars.record, status: "DRAFT" } });
    expect(await eventually(mayAnn, (may) => !may)).toBe(false);

    const rollback = { json: { version: 1 } };
    must(await configs(`/authorization-policies/${policy?.id}/rollback`, rollback), 200);
    must(await configs(`/knowledge-queries/${query?.id}/rollback`, rollback), 200);
    expect(await eventually(mayAnn, (may) => may)).toBe(true);
    const versions = `/versions?pagesize=2`;
    expect(must(await configs(`/authorization-policies/${policy?.id}${versions}`), 200)).toMatchObject({
      items: [{ version: 3 }, { version: 2, change_id: second.id }],
      has_more: true,
    });
    expect(must(await configs(`/knowledge-queries/${query?.id}${versions}`), 200)).toMatchObject({
      items: [{ version: 3 }, { version: 2 }],
    });

    const revert = await configs(`/changes/${second.id}/revert`, { json: {} });
    expect(revert.status).toBe(409);
    must(await configs(`/changes/${second.id}/revert`, { json: { force: true } }), 200);
    const listed = must<{ items: { id: string }[] }>(
      await configs(`/changes?project_id=${tenant.projectId}`),
      200,
    );
    expect(listed.items.map(({ id }) => id)).toEqual(expect.arrayContaining([applied.id, second.id]));
    expect(must(await configs(`/changes/${applied.id}`), 200)).toMatchObject({
      changes: [{ name: "may-drive", after: { status: "ACTIVE" } }, { name: "cars" }, { name: "my-cars" }],
    });
  });

  it("come back of an export", async () => {
    const document = must<{ changes: object[] }>(
      await configs(`/export?project_id=${tenant.projectId}`),
      200,
    );
    const again = await apply(...document.changes);
    expect(again).toMatchObject({ changes: [], unchanged: expect.any(Array) });
  });
});

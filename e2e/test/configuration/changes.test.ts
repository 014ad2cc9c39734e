import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { mayDrive, tenant, useOwnedCar } from "../../src/fixtures/owned-car.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";

useOwnedCar();

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
} as const;
const myCars = {
  op: "put",
  collection: "knowledge-queries",
  name: "my-cars",
  record: { policy: "cars", status: "ACTIVE", query: { nodes: ["car.external_id"] } },
} as const;

const mayAnn = async (): Promise<boolean> => {
  const ann = openIkg(tenant).as({ type: "Person", id: "ann" });
  return ann.can("DRIVE", { type: "Car", id: "beetle" });
};

describe("change sets through the gateway", () => {
  it("are applied, followed by the services, reverted and rolled back", async () => {
    const { changes, policies, queries } = openAdmin(tenant.projectId);
    const applied = await changes.apply([mayDrive, cars, myCars]);
    expect(applied.changes).toHaveLength(3);
    expect(await eventually(mayAnn, (may) => may)).toBe(true);

    const second = await changes.apply([
      { ...mayDrive, record: { ...mayDrive.record, status: "INACTIVE" } },
      { ...myCars, record: { ...myCars.record, status: "DRAFT" } },
    ]);
    expect(await eventually(mayAnn, (may) => !may)).toBe(false);

    await policies.rollback("may-drive", 1);
    await queries.rollback("my-cars", 1);
    expect(await eventually(mayAnn, (may) => may)).toBe(true);
    const versionsOf = async (versions: ReturnType<typeof policies.versions>) =>
      (await versions.toArray()).map(({ version, change_id }) => [version, change_id]);
    const [third, ...former] = await versionsOf(policies.versions("may-drive"));
    expect(third?.[0]).toBe(3);
    expect(former).toEqual([
      [2, second.id],
      [1, applied.id],
    ]);
    expect((await versionsOf(queries.versions("my-cars"))).map(([version]) => version)).toEqual([3, 2, 1]);

    const { id: secondId = "" } = second;
    await expect(changes.revert(secondId)).rejects.toMatchObject({ status: 409 });
    await changes.revert(secondId, { force: true });
    const listed = (await changes.list().toArray()).map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining([applied.id, secondId]));
    expect(await changes.get(applied.id ?? "")).toMatchObject({
      changes: [{ name: "may-drive", after: { status: "ACTIVE" } }, { name: "cars" }, { name: "my-cars" }],
    });
  });

  it("come back of an export", async () => {
    const admin = openAdmin(tenant.projectId);
    // Its changes are entries of a change set (docs/api.md).
    const document = await admin.export();
    const again = await admin.changes.apply(document.changes);
    expect(again).toMatchObject({ changes: [], unchanged: expect.any(Array) });
  });
});

import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { cars, mayDrive, myCars, tenant, useOwnedCar } from "../../src/fixtures/owned-car.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";

useOwnedCar();

const mayAnn = async (): Promise<boolean> => {
  const ann = openIkg(tenant).as({ type: "Person", id: "ann" });
  return ann.can("DRIVE", { type: "Car", id: "beetle" });
};

describe("change sets through the gateway", () => {
  it("are applied, followed by the services, reverted and rolled back", async () => {
    const { changes, policies } = openAdmin(tenant.projectId);
    const applied = await changes.apply([mayDrive, cars, myCars]);
    expect(applied.changes).toHaveLength(3);
    expect(await eventually(mayAnn, (may) => may)).toBe(true);

    const second = await changes.apply([{ ...mayDrive, record: { ...mayDrive.record, status: "INACTIVE" } }]);
    expect(await eventually(mayAnn, (may) => !may)).toBe(false);

    await policies.rollback("may-drive", 1);
    expect(await eventually(mayAnn, (may) => may)).toBe(true);
    const versions = await policies.versions("may-drive").toArray();
    const [third, ...former] = versions.map(({ version, change_id }) => [version, change_id]);
    expect(third?.[0]).toBe(3);
    expect(former).toEqual([
      [2, second.id],
      [1, applied.id],
    ]);

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

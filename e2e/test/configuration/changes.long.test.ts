import { describe, expect, it } from "@jest/globals";
import { cars, mayDrive, myCars, tenant, useOwnedCar } from "../../src/fixtures/owned-car.ts";
import { openAdmin } from "../../src/requests/clients.ts";

useOwnedCar();

describe("change sets through the gateway", () => {
  it("of a query are rolled back and reverted like those of policies", async () => {
    const { changes, queries } = openAdmin(tenant.projectId);
    await changes.apply([cars, myCars]);
    const { id = "" } = await changes.apply([{ ...myCars, record: { ...myCars.record, status: "DRAFT" } }]);
    await queries.rollback("my-cars", 1);
    const versions = await queries.versions("my-cars").toArray();
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    await expect(changes.revert(id)).rejects.toMatchObject({ status: 409 });
    await changes.revert(id, { force: true });
  });

  it("warn of a name that the graph does not hold, with the nearest one", async () => {
    const cypher = "MATCH (subject:Person)-[:OWNSS]->(resource:Car)";
    const policy = { ...mayDrive.record.policy, condition: { cypher } };
    const misspelt = { ...mayDrive, record: { ...mayDrive.record, policy } };
    const { warnings } = await openAdmin(tenant.projectId).changes.apply([misspelt], { dryRun: true });
    expect(warnings).toMatchObject([
      {
        code: "unknown-relationship-type",
        text: 'the graph holds no relationship of type "OWNSS"; did you mean "OWNS"?',
      },
    ]);
  });
});

import { describe, expect, it } from "@jest/globals";
import { mayDrive, tenant, useOwnedCar } from "../../src/fixtures/owned-car.ts";
import { openAdmin } from "../../src/requests/clients.ts";

useOwnedCar();

describe("change sets through the gateway", () => {
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

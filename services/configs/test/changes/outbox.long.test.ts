import { describe, it } from "@jest/globals";
import { newGid, newUuid } from "@ikg/contracts";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { committedRecords } from "../committed-records.ts";
import { limits, untilPublished } from "./outbox-under-test.ts";
import { configs, project, tenant, useProject } from "./project-under-test.ts";

useProject();

/** A record that an application was created. */
const newRecordOf = (chain: string) => ({
  id: newUuid(),
  time: new Date().toISOString(),
  type: "audit.config.create",
  project_id: chain,
  actor: { type: "system", id: "configs" },
  outcome: "success",
  data: { kind: "application", name: "left" },
});

describe("what a killed process of a former release left", () => {
  it("is announced, and recorded", async () => {
    const [id, record] = [newGid("application"), newRecordOf(project)];
    const announcement = { kind: "application", id, organization_id: tenant.organization, action: "created" };
    const entry = {
      id,
      organization_id: tenant.organization,
      announcements: JSON.stringify([announcement]),
      records: JSON.stringify([record]),
      due: Date.now() - 1,
    };
    await configs.graph.shared.write((tx) => tx.run("CREATE (o:_Outbox) SET o = $entry", { entry }), {
      timeoutMs: 60_000,
    });
    const recorded = async () =>
      (await committedRecords(configs.graph.shared, project)).filter((each) => each.id === record.id);
    await eventually(recorded, (found) => found.length === 1, limits);
    await eventually(
      () => configs.changes.filter((change) => change["id"] === id),
      (found) => found.length === 1,
      limits,
    );
    await untilPublished(id);
  });
});

import { describe, expect, it } from "@jest/globals";
import { storeAnnouncements } from "@ikg/announcements";
import { newGid, newUuid } from "@ikg/contracts";
import { eventually } from "../../../../stack/src/testing/eventually.ts";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { committedRecords } from "../committed-records.ts";
import { putPolicy } from "./changes-under-test.ts";
import { changes, configs, project, tenant, useProject } from "./project-under-test.ts";

useProject();

const limits = { withinMs: 10_000, everyMs: 50 };

const unpublished = async (id: string): Promise<number> => {
  const [row] = await configs.graph.shared.read(
    "MATCH (o:_Outbox) WHERE o.announcements CONTAINS $id RETURN count(o) AS waiting",
    { id },
    { timeoutMs: 10_000 },
  );
  return Number(row?.["waiting"]);
};

const records = async (chain: string, type: string) =>
  (await committedRecords(configs.graph.shared, chain)).filter((record) => record.type === type);

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

describe("the announcements of a change", () => {
  it("are stored with it, and gone once they are published", async () => {
    const { changes: made } = await changes.apply([putPolicy("announced")]);
    const id = made[0]?.id ?? "";
    expect(await configs.changesOf(id, 1)).toHaveLength(1);
    await eventually(
      () => unpublished(id),
      (count) => count === 0,
      limits,
    );
  });

  it("are published within 2 s by another process when the one that committed them is gone", async () => {
    const id = newGid("application_agent_credential");
    const announcement = {
      kind: "application_agent_credential",
      id,
      organization_id: tenant.organization,
      project_id: project,
      action: "deleted",
    } as const;
    await configs.graph.shared.write((tx) => storeAnnouncements(tx, [announcement]), { timeoutMs: 60_000 });
    // It waits for 2 s at most.
    expect(await configs.changesOf(id, 1)).toEqual([announcement]);
  });
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
    await eventually(
      () => unpublished(id),
      (count) => count === 0,
      limits,
    );
  });
});

describe("the audit records of a change", () => {
  it("are committed with it, of every collection", async () => {
    const name = `app-${project}`
      .replaceAll(/[^a-z0-9-]/gi, "")
      .toLowerCase()
      .slice(0, 40);
    const application = await tenant.make("/applications", { project_id: project, name });
    const agent = await tenant.make("/application-agents", {
      application_id: application.id,
      name,
      api_permissions: ["Authorization"],
    });
    const credential = await tenant.make("/application-agent-credentials", {
      application_agent_id: agent.id,
    });
    const updated = await tenant.send("PUT", `/applications/${application.id}`, { description: "other" });
    expect(updated.status).toBe(200);
    const path = `/application-agent-credentials/${credential.id}`;
    expect((await tenant.send("DELETE", path)).status).toBe(200);

    const created = await records(project, "audit.config.create");
    expect(created.map(({ data }) => data["id"])).toEqual([project, application.id, agent.id]);
    expect(created.at(-1)).toMatchObject({
      status: 201,
      outcome: "success",
      actor: { type: "service_account", id: tenant.account },
      data: { kind: "application_agent", name, version: 1 },
    });
    expect(await records(project, "audit.config.update")).toMatchObject([
      { status: 200, data: { id: application.id, fields: ["description"], version: 2 } },
    ]);
    const { kid } = credential.body;
    for (const type of ["audit.credentials.create", "audit.credentials.delete"])
      expect(await records(project, type)).toMatchObject([
        { data: { id: credential.id, kid, owner: agent.id } },
      ]);
  });

  it("are one for each record that goes with a project", async () => {
    // More than one entry of the outbox holds.
    const names = Array.from({ length: isLongRun() ? 120 : 51 }, (_, index) => `p${index}`);
    await changes.apply(names.map((name) => putPolicy(name)));
    expect((await tenant.send("DELETE", `/projects/${project}`)).status).toBe(200);
    const deleted = await records(project, "audit.config.delete");
    expect(deleted).toHaveLength(names.length + 1);
    expect(new Set(deleted.map(({ id }) => id)).size).toBe(names.length + 1);
  });

  it("are none of a change that is refused, or that only was tried", async () => {
    const before = await committedRecords(configs.graph.shared, project);
    const bad = { project_id: project, name: "bad", status: "ACTIVE", policy: "{}" };
    expect((await tenant.send("POST", "/authorization-policies", bad)).status).toBe(422);
    expect((await changes.send([putPolicy("tried")], {}, "?dry_run=true")).status).toBe(200);
    expect(await committedRecords(configs.graph.shared, project)).toEqual(before);
  });
});

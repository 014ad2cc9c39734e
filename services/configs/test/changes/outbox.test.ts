import { describe, expect, it } from "@jest/globals";
import { storeAnnouncements } from "@ikg/announcements";
import { newGid } from "@ikg/contracts";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { committedRecords } from "../committed-records.ts";
import { putPolicy } from "./changes-under-test.ts";
import { untilPublished } from "./outbox-under-test.ts";
import { changes, configs, project, tenant, useProject } from "./project-under-test.ts";

useProject();

const records = async (chain: string, type: string) =>
  (await committedRecords(configs.graph.shared, chain)).filter((record) => record.type === type);

describe("the announcements of a change", () => {
  it("are stored with it, and gone once they are published", async () => {
    const { changes: made } = await changes.apply([putPolicy("announced")]);
    const id = made[0]?.id ?? "";
    expect(await configs.changesOf(id, 1)).toHaveLength(1);
    await untilPublished(id);
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
    // In the long run they fill several entries of the outbox; otherwise store-records.test.ts shows that.
    const names = Array.from({ length: isLongRun() ? 120 : 3 }, (_, index) => `p${index}`);
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

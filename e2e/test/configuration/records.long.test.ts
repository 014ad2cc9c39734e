import { describe, expect, it } from "@jest/globals";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { environment } from "../../src/environment.ts";
import { tenant, kbac, path, useLibraryTown } from "../../src/fixtures/library-town.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { configs, type ConfigRecord } from "../../src/requests/configs.ts";
import { must } from "../../src/requests/must.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";

useLibraryTown();

describe("records", () => {
  it("are made, read, listed and deleted in one shape", async () => {
    const made = await configs("/applications", {
      json: {
        project_id: tenant.projectId,
        name: "desk",
        display_name: "The desk",
        description: "",
        unknown: 1,
      },
    });
    const record = must<ConfigRecord>(made, 201);
    expect(record).toEqual({
      id: expect.stringMatching(/^gid:[A-Za-z0-9_-]{22,250}$/),
      name: "desk",
      display_name: "The desk",
      project_id: tenant.projectId,
      organization_id: environment().organization_id,
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      update_time: record["create_time"],
      created_by: expect.stringMatching(/^gid:/),
      updated_by: record["created_by"],
    });
    const etag = made.headers.get("etag");
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const name of [
      record.id,
      encodeURIComponent(record.id),
      `desk?project_id=${tenant.projectId}`,
      `desk?location=${tenant.projectId}`,
    ]) {
      const read = await configs(`/applications/${name}`);
      expect(read).toMatchObject({ status: 200, body: record });
      expect(read.headers.get("etag")).toBe(etag);
    }
    expect(await openAdmin(tenant.projectId).applications.list()).toContainEqual(record);
    const stale = { method: "DELETE", headers: { "If-Match": '"other"' } };
    requireRefusal(await configs(`/applications/${record.id}`, stale), 412);
    const deleted = await configs(`/applications/${record.id}`, {
      method: "DELETE",
      headers: { "If-Match": etag ?? "" },
    });
    expect(deleted).toMatchObject({ status: 200, body: { id: record.id } });
    requireRefusal(await configs(`/applications/${record.id}`), 404);
    await openAdmin().applications.create({ project_id: tenant.projectId, name: "desk" });
  });

  it("show a key once", async () => {
    const { id, key } = await createCredential(tenant.agentId);
    for (const each of [
      `/application-agent-credentials/${id}`,
      `/application-agent-credentials?project_id=${tenant.projectId}`,
    ]) {
      const answer = await configs(each);
      expect(answer.status).toBe(200);
      for (const part of [key, key.slice(21, 64), "application_agent_config", "hash"])
        expect(answer.text).not.toContain(part);
    }
    await openAdmin().agentCredentials.delete(id);
  });

  it("keep the text of a policy byte for byte, and leave it out of lists that do not ask for it", async () => {
    const text = `  ${JSON.stringify(kbac("KEPT", path), null, 3)}\n`;
    const id = await savePolicy(tenant.projectId, { policy: text });
    expect(await configs(`/authorization-policies/${id}`)).toMatchObject({ body: { policy: text } });
    const listed = await configs(`/authorization-policies?project_id=${tenant.projectId}&type=kbac`);
    expect((listed.body as { data: ConfigRecord[] }).data.find((each) => each.id === id)).toMatchObject({
      policy: "",
    });
    const full = await openAdmin(tenant.projectId).policies.list();
    expect(full.find((each) => each.id === id)).toMatchObject({ policy: text });
    expect(
      (await configs(`/authorization-policies?project_id=${tenant.projectId}&type=ciq`)).text,
    ).not.toContain(id);
    await openAdmin().policies.delete(id);
  });
});

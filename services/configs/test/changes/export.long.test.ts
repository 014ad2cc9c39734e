import { describe, expect, it } from "@jest/globals";
import { changesOf, putCiq, putPolicy, putQuery } from "./changes-under-test.ts";
import { changes, project, tenant, useProject } from "./project-under-test.ts";

useProject();

describe("an export", () => {
  it("has every record, applies to another project, and names secrets without their values", async () => {
    const full = { description: "all of it", tags: ["a"], display_name: "Kept" };
    await changes.apply([putPolicy("kept", {}, full), putCiq("lending"), putQuery("loans", "lending")]);
    const application = await tenant.make("/applications", { project_id: project, name: "shop" });
    const agent = await tenant.make("/application-agents", {
      application_id: application.id,
      name: "clerk",
      api_permissions: ["Capture"],
    });
    await tenant.make("/application-agent-credentials", { application_agent_id: agent.id });
    await tenant.make("/external-data-resolvers", {
      project_id: project,
      name: "weather",
      url: "https://weather.example/now",
      method: "GET",
      headers: { authorization: ["sentinel-secret"] },
      request_content_type: "JSON",
      response_content_type: "JSON",
      response_selector: ".temperature",
    });
    const answer = await tenant.as("all_viewer").send("GET", `/export?project_id=${project}`);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain("sentinel-secret");
    const document = answer.body as unknown as {
      changes: readonly object[];
      records: readonly { collection: string; name: string; record: object }[];
      secrets: readonly object[];
      versions: readonly { collection: string; name: string; version: number; etag: string }[];
    };
    expect(document.records.map(({ collection, name }) => `${collection}/${name}`)).toEqual([
      expect.stringMatching(/^projects\//),
      "applications/shop",
      "application-agents/clerk",
      "external-data-resolvers/weather",
    ]);
    const put = document.changes as readonly { collection: string; name: string }[];
    expect(document.versions.map(({ collection, name }) => `${collection}/${name}`).toSorted()).toEqual(
      [...put, ...document.records].map(({ collection, name }) => `${collection}/${name}`).toSorted(),
    );
    expect(document.records[2]?.record).toEqual({ application: "shop", api_permissions: ["Capture"] });
    expect(document.secrets).toEqual([
      { collection: "external-data-resolvers", name: "weather", field: "headers" },
      { collection: "application-agent-credentials", name: expect.any(String), field: "token" },
    ]);
    const other = changesOf(tenant, (await tenant.project()).id);
    await other.apply(document.changes);
    const scrub = (texts: object): unknown =>
      JSON.parse(JSON.stringify(texts).replaceAll(/gid:[\w-]+/g, "gid"));
    expect(scrub(await other.texts())).toEqual(scrub(await changes.texts()));
  });

  it("says of each record its version and the ETag of its state, beside what is applied again", async () => {
    await changes.apply([putPolicy("twice")]);
    await changes.apply([putPolicy("twice", {}, { status: "INACTIVE" }), putPolicy("once")]);
    const { id } = await tenant.make("/applications", { project_id: project, name: "till" });
    const body = (await tenant.send("GET", `/export?project_id=${project}`)).body as unknown as {
      versions: readonly { collection: string; name: string; version: number; etag: string }[];
      changes: readonly object[];
    };
    const of = (name: string) => body.versions.find((each) => each.name === name);
    expect([of("twice")?.version, of("once")?.version, of("till")?.version]).toEqual([2, 1, 1]);
    expect((await tenant.send("GET", `/applications/${id}`)).headers.get("etag")).toBe(of("till")?.etag);
    expect(body.changes.some((each) => "if_version" in each)).toBe(false);
  });
});

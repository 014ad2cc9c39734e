import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Made, type Tenant } from "./tenant.ts";
import { kbacText } from "./policy-texts.ts";
import { populate, recordIn } from "./populate.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let project: Made;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  project = await tenant.project();
});
afterAll(() => configs.close());

const makePolicy = (more: object = {}): Promise<Made> =>
  tenant.make("/authorization-policies", {
    project_id: project.id,
    name: freshName(),
    policy: kbacText(),
    status: "ACTIVE",
    ...more,
  });

describe("projects", () => {
  it("keep what they are for, whatever an update says", async () => {
    const made = await tenant.make("/projects", {
      organization_id: tenant.organization,
      name: freshName(),
      purpose: "TEST",
    });
    expect(made.body["purpose"]).toBe("TEST");
    const changed = await tenant.send("PUT", `/projects/${made.id}`, { display_name: "Later", purpose: "x" });
    expect([changed.status, changed.body["purpose"]]).toEqual([200, "TEST"]);
    expect((await tenant.project()).body).not.toHaveProperty("purpose");
  });

  it("show in every version the state that their graph has now", async () => {
    const own = await tenant.project();
    const update = { display_name: "Later", region: "us-east1", ikg_size: "4GB" };
    const later = await tenant.send("PUT", `/projects/${own.id}`, update);
    const { region, ikg_size, ikg_status } = own.body;
    expect(ikg_status).toBe("ACTIVE");
    expect(later.body).toMatchObject({ display_name: "Later", region, ikg_size, ikg_status });
    const set = (value: string) =>
      configs.graph.shared.write(
        (tx) => tx.run("MATCH (p:_Record {id: $id}) SET p.ikg_status = $value", { id: own.id, value }),
        { timeoutMs: 80_000 },
      );
    await set("FAILED");
    for (const version of [1, 2]) {
      const read = await tenant.send("GET", `/projects/${own.id}?version=${version}`);
      expect([version, read.body["ikg_status"]]).toEqual([version, "FAILED"]);
    }
  });
});

describe("limits of a project", () => {
  it("are kept, replaced and removed, and refused where they are none", async () => {
    const own = await tenant.project();
    const put = (limits: object) => tenant.send("PUT", `/projects/${own.id}`, { limits });
    expect(own.body["limits"]).toBeUndefined();
    expect((await put({ page_bytes: 1_000_000, node_types: 12 })).body["limits"]).toEqual({
      page_bytes: 1_000_000,
      node_types: 12,
    });
    expect((await tenant.send("PUT", `/projects/${own.id}`, {})).body["limits"]).toMatchObject({
      node_types: 12,
    });
    const refused = await put({ page_bytes: 8_000_001, property_names: 0, nodes: 3 });
    expect(refused.status).toBe(422);
    expect(refused.body["errors"]).toEqual(
      expect.arrayContaining([
        expect.stringContaining("limits.property_names: at least 1 expected"),
        expect.stringContaining("limits: unknown limit: nodes"),
      ]),
    );
    expect((await put({})).body["limits"]).toEqual({});
  });
});

describe("policies and queries", () => {
  it("answer warnings when they are written, and not when they are read", async () => {
    const made = await makePolicy();
    expect(made.body["warnings"]).toEqual(expect.any(Array));
    const put = await tenant.send("PUT", `/authorization-policies/${made.id}`, {
      policy: kbacText("WRITE"),
      status: "ACTIVE",
    });
    expect(put.body["warnings"]).toEqual(expect.any(Array));
    expect((await tenant.send("GET", `/authorization-policies/${made.id}`)).body).toEqual(recordIn(put.body));
  });

  it("keep tags unless they are given, and clear them for []", async () => {
    const made = await makePolicy({ tags: ["a", "b"] });
    const put = async (more: object) => {
      const body = { policy: kbacText(), status: "DRAFT", ...more };
      return (await tenant.send("PUT", `/authorization-policies/${made.id}`, body)).body["tags"];
    };
    expect([await put({}), await put({ tags: null }), await put({ tags: [] }), await put({})]).toEqual([
      ["a", "b"],
      ["a", "b"],
      [],
      [],
    ]);
  });

  it("may be named validate, like the path that validates", async () => {
    const made = await makePolicy({ name: "validate" });
    const read = await tenant.send("GET", `/authorization-policies/validate?project_id=${project.id}`);
    expect([read.status, read.body["id"]]).toEqual([200, made.id]);
    await tenant.send("DELETE", `/authorization-policies/${made.id}`);
  });
});

describe("CONFIG_REQUIRE_IF_MATCH", () => {
  it("refuses a PUT or DELETE that names no state, of every collection", async () => {
    const strict = await startConfigs({ CONFIG_REQUIRE_IF_MATCH: "true" });
    try {
      const own = await strict.tenant();
      const { samples } = await populate(own);
      for (const { path, made, description, change } of samples.toReversed()) {
        const url = `${path}/${made.id}`;
        const expected = { message: "Precondition Required", errors: ["If-Match: required"] };
        let { etag } = made;
        if (description.update !== undefined && path !== "/mcp-servers") {
          const body = change();
          const put = await own.send("PUT", url, body);
          expect([path, put.status, put.body]).toEqual([path, 428, expected]);
          const done = await own.send("PUT", url, body, { "if-match": etag });
          expect([path, done.status]).toEqual([path, 200]);
          etag = done.headers.get("etag") ?? "";
        }
        const removed = await own.send("DELETE", url);
        expect([path, removed.status, removed.body]).toEqual([path, 428, expected]);
        expect((await own.send("GET", url)).status).toBe(200);
        expect((await own.send("DELETE", url, undefined, { "if-match": etag })).status).toBe(200);
        expect((await own.send("DELETE", url)).status).toBe(404);
      }
    } finally {
      await strict.close();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { type ConfigsUnderTest, freshName, startConfigs, type Tenant } from "./configs-under-test.ts";
import { paths, populate, type Population, recordIn, type Sample, updatedPaths } from "./populate.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let stranger: Tenant;
let ours: Population;
let theirs: Population;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  stranger = await configs.tenant();
  ours = await populate(tenant);
  theirs = await populate(stranger);
});
afterAll(() => configs.close());

const sampleOf = (population: Population, path: string): Sample => {
  const found = population.samples.find((sample) => sample.path === path);
  if (found === undefined) throw new Error(path);
  return found;
};

const byNumber = (a: number, b: number): number => a - b;

/** What a caller is told about a fault: the envelope has these members and no others. */
const envelope = (body: object): string[] =>
  Object.keys(body).filter((key) => key !== "message" && key !== "errors");

describe.each(paths)("%s", (path) => {
  it("answers exactly the record of the contract, with an ETag", () => {
    const { made, record } = sampleOf(ours, path);
    expect(record.strict().safeParse(recordIn(made.body)).error).toBeUndefined();
    expect(made.etag).toMatch(/^"[\w-]{16}"$/);
    expect(made.body).toMatchObject({ created_by: tenant.account, organization_id: tenant.organization });
    expect(made.body["create_time"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("is created, read, listed, removed, and its name is free again", async () => {
    const sample = sampleOf(ours, path);
    const name = freshName();
    const body = sample.body(name);
    const made = await tenant.make(path, body);
    const record = recordIn(made.body);

    const byId = await tenant.send("GET", `${path}/${encodeURIComponent(made.id)}`);
    expect([byId.status, byId.headers.get("etag"), byId.body]).toEqual([200, made.etag, record]);
    expect(byId.headers.get("cache-control")).toBe("no-store");
    expect(byId.headers.get("content-type")).toBe("application/json; charset=utf-8");

    const list = await tenant.send(
      "GET",
      `${path}?${sample.scope}=${String(record[sample.scope])}&full_fetch=true`,
    );
    expect(list.status).toBe(200);
    expect(list.headers.get("etag")).toBeNull();
    expect(list.body["data"]).toContainEqual(record);

    const stale = await tenant.send("DELETE", `${path}/${made.id}`, undefined, { "if-match": '"old"' });
    expect([stale.status, stale.body.errors?.length]).toEqual([412, 1]);
    expect((await tenant.send("GET", `${path}/${made.id}`)).status).toBe(200);
    const removed = await tenant.send("DELETE", `${path}/${made.id}`, undefined, {
      "if-match": `"x", ${made.etag}`,
    });
    expect([removed.status, removed.body]).toEqual([200, { id: made.id }]);
    for (const method of ["GET", "DELETE"])
      expect((await tenant.send(method, `${path}/${made.id}`)).status).toBe(404);
    const again = await tenant.make(path, body);
    expect(again.id).not.toBe(made.id);
    expect((await tenant.send("DELETE", `${path}/${again.id}`)).status).toBe(200);
  });

  it("is found in a list by a part of its name or display name, and by nothing else", async () => {
    const { made, scope } = sampleOf(ours, path);
    const list = async (query: string): Promise<unknown[]> => {
      const answer = await tenant.send("GET", `${path}?${scope}=${String(made.body[scope])}&${query}`);
      return (answer.body["data"] as { id: string }[]).map(({ id }) => id);
    };
    const shown = String(made.body["display_name"]);
    expect(await list(`search=${encodeURIComponent(shown.toUpperCase())}`)).toContain(made.id);
    expect(await list(`search=${encodeURIComponent(made.body["create_time"] as string)}`)).toEqual([]);
    expect(await list("search=")).toContain(made.id);
  });

  it("is announced when it is made and when it goes", async () => {
    const made = await tenant.make(path, sampleOf(ours, path).body());
    await tenant.send("DELETE", `${path}/${made.id}`);
    const about = await configs.changesOf(made.id, 2);
    expect(about.map((change) => change["action"])).toEqual(["created", "deleted"]);
    expect(about[0]).toMatchObject({ organization_id: tenant.organization });
  });

  it("is 404 for every other organization, whichever way it is asked for", async () => {
    const { made, parent, scope, named } = sampleOf(theirs, path);
    const scopeId = String(made.body[scope]);
    const before = await stranger.send("GET", `${path}/${made.id}`);
    for (const [method, url] of [
      ["GET", `${path}/${made.id}`],
      ["DELETE", `${path}/${made.id}`],
      ...(updatedPaths.includes(path) ? [["PUT", `${path}/${made.id}`] as const] : []),
      ["GET", `${path}?${scope}=${scopeId}`],
      ...(named ? [["GET", `${path}/${made.name}?${scope}=${scopeId}`] as const] : []),
    ] as const) {
      const body = method === "PUT" ? sampleOf(ours, path).change() : undefined;
      const answer = await tenant.send(method, url, body);
      expect([method, url, answer.status]).toEqual([method, url, 404]);
      expect(envelope(answer.body)).toEqual([]);
    }
    const foreign = await tenant.send("POST", path, {
      ...sampleOf(ours, path).body(),
      [parent]: sampleOf(theirs, path).body()[parent],
    });
    expect([foreign.status, foreign.body]).toEqual([
      404,
      { message: "Not Found", errors: [`${parent}: not found`] },
    ]);
    expect((await stranger.send("GET", `${path}/${made.id}`)).body).toEqual(before.body);
    const listed = await tenant.send("GET", path);
    expect(JSON.stringify(listed.body)).not.toContain(made.id);
    expect(listed.text).not.toContain(stranger.organization);
  });

  it("knows a missing parent from a malformed one", async () => {
    const sample = sampleOf(ours, path);
    const { parent } = sample;
    const { kind } = sample.description.parent;
    expect((await tenant.send("POST", path, { ...sample.body(), [parent]: newGid(kind) })).status).toBe(404);
    for (const bad of ["gid:short", newGid("node"), "", 5, null, undefined, "'", { a: 1 }]) {
      const answer = await tenant.send("POST", path, { ...sample.body(), [parent]: bad });
      expect([bad, answer.status]).toEqual([bad, 422]);
      expect(answer.body.errors?.[0]).toMatch(new RegExp(`^${parent}: `));
    }
  });

  it("is only read by a viewer", async () => {
    const viewer = tenant.as("all_viewer");
    const sample = sampleOf(ours, path);
    const { made } = sample;
    expect((await viewer.send("GET", `${path}/${made.id}`)).status).toBe(200);
    expect((await viewer.send("GET", path)).status).toBe(200);
    for (const [method, url, sent] of [
      ["POST", path, sample.body()],
      ["POST", path, "not json"],
      ["DELETE", `${path}/${made.id}`, undefined],
      ...(updatedPaths.includes(path) ? [["PUT", `${path}/${made.id}`, sample.change()] as const] : []),
    ] as const) {
      const answer = await viewer.send(method, url, sent);
      expect([answer.status, answer.body]).toEqual([403, { message: "the service account may only read" }]);
    }
  });

  it("takes no other method", async () => {
    const { made } = sampleOf(ours, path);
    const allow = updatedPaths.includes(path) ? /^GET, HEAD, PUT, DELETE$/ : /^GET, HEAD, DELETE$/;
    for (const [method, url, told] of [
      ["PUT", path, /POST/],
      ["PATCH", `${path}/${made.id}`, allow],
      ["DELETE", path, /POST/],
    ] as const) {
      const answer = await tenant.send(method, url, method === "DELETE" ? undefined : {});
      expect([answer.status, answer.body.message]).toEqual([405, "Method Not Allowed"]);
      expect(answer.headers.get("allow")).toMatch(told);
    }
  });

  it.each(["", "[]", "null", '"x"', "7", "{", "{}x", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`])(
    "is 400 for a body that is no object: %s",
    async (text) => {
      const answer = await tenant.send("POST", path, text);
      expect([answer.status, answer.body.message]).toEqual([400, "Bad Request"]);
    },
  );

  it("says every fault of a body at once", async () => {
    const answer = await tenant.send("POST", path, { name: "A_", display_name: "x", description: 5 });
    expect([answer.status, answer.body.message]).toEqual([422, "Unprocessable Entity"]);
    const { parent, named } = sampleOf(ours, path);
    const at = (answer.body.errors ?? []).map((error) => error.split(":")[0]);
    expect(at).toEqual(
      expect.arrayContaining([parent, "display_name", ...(named ? ["name", "description"] : [])]),
    );
  });
});

describe.each(updatedPaths)("a name in %s", (path) => {
  it("finds the record in its scope, in every spelling", async () => {
    const { made, scope } = sampleOf(ours, path);
    const { name } = made;
    const body = recordIn(made.body);
    const scopeId = String(body[scope]);
    expect(body).toMatchObject({
      update_time: body["create_time"],
      updated_by: tenant.account,
      display_name: name,
    });
    for (const query of [
      `${scope}=${scopeId}`,
      `location=${scopeId}`,
      `${scope}=${encodeURIComponent(scopeId)}&location=${scopeId}&version=1`,
    ]) {
      const byName = await tenant.send("GET", `${path}/${name}?${query}`);
      expect([byName.status, byName.headers.get("etag"), byName.body]).toEqual([200, made.etag, body]);
    }
  });

  it("is not taken for deleting", async () => {
    const { made } = sampleOf(ours, path);
    expect((await tenant.send("DELETE", `${path}/${made.name}`)).status).toBe(404);
  });

  it("is taken once", async () => {
    const sample = sampleOf(ours, path);
    const twice = await tenant.send("POST", path, sample.request);
    expect([twice.status, twice.body]).toEqual([
      409,
      { message: "Conflict", errors: ["name: already in use"] },
    ]);
  });

  it("comes with a version", async () => {
    const { made } = sampleOf(ours, path);
    expect((await tenant.send("GET", `${path}/${made.id}?version=2`)).status).toBe(404);
    for (const version of ["0", "x", "1.5", "-1", ""])
      expect((await tenant.send("GET", `${path}/${made.id}?version=${version}`)).status).toBe(400);
  });

  it("has one winner when two make the same name at once", async () => {
    const sample = sampleOf(ours, path);
    const body = sample.body();
    const answers = await Promise.all(Array.from({ length: 6 }, () => tenant.send("POST", path, body)));
    expect(answers.map((answer) => answer.status).toSorted(byNumber)).toEqual([201, 409, 409, 409, 409, 409]);
    const made = answers.find((answer) => answer.status === 201);
    await tenant.send("DELETE", `${path}/${String(made?.body["id"])}`);
  });

  it("may have the name that another organization uses", async () => {
    const sample = sampleOf(ours, path);
    const made = await tenant.make(path, sample.body(sampleOf(theirs, path).made.name));
    expect((await tenant.send("DELETE", `${path}/${made.id}`)).status).toBe(200);
  });
});

describe("reading by name", () => {
  it("needs the project, once", async () => {
    const { application } = ours;
    expect((await tenant.send("GET", `/applications/${application.name}`)).body).toEqual({
      message: "Bad Request",
      errors: ["project_id: required to read by name"],
    });
    const two = `project_id=${ours.project.id}&location=${newGid("project")}`;
    expect((await tenant.send("GET", `/applications/${application.name}?${two}`)).status).toBe(400);
    expect((await tenant.send("GET", `/applications/${application.name}?project_id=x`)).status).toBe(400);
    expect(
      (await tenant.send("GET", `/applications/${application.name}?project_id=${newGid("project")}`)).status,
    ).toBe(404);
  });

  it("takes the caller's organization for projects", async () => {
    expect((await tenant.send("GET", `/projects/${ours.project.name}`)).body).toEqual(ours.project.body);
    expect((await tenant.send("GET", `/projects/${theirs.project.name}`)).status).toBe(404);
  });

  it("does not mistake one collection for another", async () => {
    for (const path of paths)
      for (const other of ours.samples.filter((sample) => sample.path !== path))
        expect((await tenant.send("GET", `${path}/${other.made.id}`)).status).toBe(404);
  });

  it("is not there for credentials", async () => {
    const url = `/application-agent-credentials/some-key?project_id=${ours.project.id}`;
    expect((await tenant.send("GET", url)).status).toBe(404);
  });
});

describe("listing", () => {
  it("is in the order of making and narrowed by search", async () => {
    const project = await tenant.project();
    const names = ["zebra-one", "alpha-two", "mid-three"];
    for (const name of names)
      await tenant.make("/applications", {
        project_id: project.id,
        name,
        description: name === "mid-three" ? "Über $1 %" : "",
      });
    const list = async (query: string): Promise<unknown[]> => {
      const answer = await tenant.send("GET", `/applications?project_id=${project.id}${query}`);
      expect(answer.status).toBe(200);
      return (answer.body["data"] as { name: string }[]).map((record) => record.name);
    };
    expect(await list("")).toEqual(names);
    expect(await list("&search=")).toEqual(names);
    expect(await list("&search=ALPHA")).toEqual(["alpha-two"]);
    expect(await list(`&search=${encodeURIComponent("über $1 %")}`)).toEqual(["mid-three"]);
    expect(await list(`&search=${encodeURIComponent("' OR 1=1 //")}`)).toEqual([]);
    expect(await list("&search=.")).toEqual([]);
    expect(await list("&type=anything")).toEqual(names);
    expect(await list("&full_fetch=false")).toEqual(names);
  });

  it("leaves out the texts of policies and queries unless they are asked for, and nothing else", async () => {
    for (const [path, field] of [
      ["/authorization-policies", "policy"],
      ["/knowledge-queries", "query"],
    ] as const) {
      const { made } = sampleOf(ours, path);
      const list = async (query: string): Promise<unknown> => {
        const answer = await tenant.send("GET", `${path}?project_id=${ours.project.id}&${query}`);
        return (answer.body["data"] as { id: string }[]).find(({ id }) => id === made.id);
      };
      const record = recordIn(made.body);
      expect(await list("full_fetch=true")).toEqual(record);
      for (const query of ["", "full_fetch=false"])
        expect(await list(query)).toEqual({ ...record, [field]: "" });
    }
  });

  it("is everything of the organization without a parent", async () => {
    const mine = await configs.tenant();
    expect((await mine.send("GET", "/applications")).body).toEqual({ data: [] });
    const [one, two] = [await mine.project(), await mine.project()];
    const apps = [
      await mine.make("/applications", { project_id: one.id, name: "app" }),
      await mine.make("/applications", { project_id: two.id, name: "app" }),
    ];
    expect((await mine.send("GET", "/applications")).body["data"]).toEqual(apps.map((app) => app.body));
    expect((await mine.send("GET", "/projects")).body["data"]).toEqual([one.body, two.body]);
    expect((await mine.send("GET", `/applications?project_id=${two.id}`)).body["data"]).toEqual([
      apps[1]?.body,
    ]);
  });

  it.each(["full_fetch=yes", "full_fetch=", "project_id=x", "project_id=", "search=a&search=b"])(
    "refuses %s",
    async (query) => expect((await tenant.send("GET", `/applications?${query}`)).status).toBe(400),
  );

  it("knows no parent of others", async () => {
    expect((await tenant.send("GET", `/applications?project_id=${newGid("project")}`)).status).toBe(404);
    expect((await tenant.send("GET", `/applications?organization_id=${stranger.organization}`)).status).toBe(
      404,
    );
    expect((await tenant.send("GET", `/applications?project_id=${newGid("application")}`)).status).toBe(400);
  });
});

describe("organizations", () => {
  it("shows the caller's own and no other", async () => {
    const current = await tenant.send("GET", "/organizations/current");
    expect(current.status).toBe(200);
    expect(Object.keys(current.body).sort()).toEqual([
      "create_time",
      "created_by",
      "display_name",
      "id",
      "name",
      "update_time",
      "updated_by",
    ]);
    expect((await tenant.send("GET", `/organizations/${tenant.organization}`)).body).toEqual(current.body);
    for (const id of [stranger.organization, "default", newGid("organization")])
      expect((await tenant.send("GET", `/organizations/${id}`)).status).toBe(404);
    expect((await tenant.send("POST", "/organizations", {})).status).toBe(404);
    expect((await tenant.send("DELETE", `/organizations/${tenant.organization}`)).status).toBe(405);
  });
});

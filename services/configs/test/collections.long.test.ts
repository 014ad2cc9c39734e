import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { paths, recordIn, updatedPaths } from "./populate.ts";
import { freshName } from "./tenant.ts";
import { configs, ours, sampleOf, stranger, tenant, theirs, useTwoTenants } from "./two-tenants.ts";

useTwoTenants();

const byNumber = (a: number, b: number): number => a - b;

/** What a caller receives about a fault: the envelope has these members and no others. */
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
    const shown = made.body["display_name"];
    // A role binding has no name to be found by.
    if (typeof shown === "string")
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
    const { made, parent, scope, hasName } = sampleOf(theirs, path);
    const scopeId = String(made.body[scope]);
    const before = await stranger.send("GET", `${path}/${made.id}`);
    for (const [method, url] of [
      ["GET", `${path}/${made.id}`],
      ["DELETE", `${path}/${made.id}`],
      ...(updatedPaths.includes(path) ? [["PUT", `${path}/${made.id}`] as const] : []),
      ["GET", `${path}?${scope}=${scopeId}`],
      ...(hasName ? [["GET", `${path}/${made.name}?${scope}=${scopeId}`] as const] : []),
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
    const isOptional = sample.description.fields[parent]?.create === "optional";
    const absent = isOptional ? [] : [null, undefined];
    for (const bad of ["gid:short", newGid("node"), "", 5, ...absent, "'", { a: 1 }]) {
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
    for (const [method, url, allowPattern] of [
      ["PUT", path, /POST/],
      ["PATCH", `${path}/${made.id}`, allow],
      ["DELETE", path, /POST/],
    ] as const) {
      const answer = await tenant.send(method, url, method === "DELETE" ? undefined : {});
      expect([answer.status, answer.body.message]).toEqual([405, "Method Not Allowed"]);
      expect(answer.headers.get("allow")).toMatch(allowPattern);
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
    const { hasName, description } = sampleOf(ours, path);
    const required = Object.entries(description.fields).flatMap(([name, { create }]) =>
      create === "required" && name !== "name" ? [name] : [],
    );
    const shown = "display_name" in description.fields ? ["display_name"] : [];
    const at = (answer.body.errors ?? []).map((error) => error.split(":")[0]);
    expect(at).toEqual(
      expect.arrayContaining([...required, ...shown, ...(hasName ? ["name", "description"] : [])]),
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

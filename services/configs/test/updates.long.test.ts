import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { recordIn, updatedPaths } from "./populate.ts";
import { useSamples, configs, other, tenant, ours, sampleOf, another, leastOf } from "./shared-tenant.ts";

useSamples();

/** What a body looks like when it is read: values of keys never come back. */
const shown = (body: Record<string, unknown>): Record<string, unknown> =>
  "auth_params" in body
    ? {
        ...body,
        auth_params: Object.fromEntries(Object.keys(body["auth_params"] as object).map((key) => [key, ""])),
      }
    : body;

/** What changes with every update. */
const unstamped = (record: Record<string, unknown>): Record<string, unknown> => {
  const { update_time: _time, updated_by: _by, ...rest } = recordIn(record);
  return rest;
};

describe.each(updatedPaths)("PUT %s", (path) => {
  const put = (id: string, body: unknown, headers?: Record<string, string>, by = tenant) =>
    by.send("PUT", `${path}/${id}`, body, headers);

  it("takes a new state, answers the whole record with a new ETag, and is seen at once", async () => {
    const { sample, made } = await another(path);
    const change = { ...sample.change(), display_name: "Second", description: "second one" };
    const second = tenant.as("all_editor");
    const answer = await put(made.id, change, { "if-match": made.etag }, second);
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    const etag = answer.headers.get("etag");
    expect(etag).toMatch(/^"[\w-]{16}"$/);
    expect(etag).not.toBe(made.etag);
    const record = recordIn(answer.body);
    expect(sample.record.strict().safeParse(record).error).toBeUndefined();
    expect(record).toMatchObject(shown(change));
    for (const field of ["id", "name", "create_time", "created_by", sample.parent, "organization_id"])
      expect([field, record[field]]).toEqual([field, made.body[field]]);
    expect(String(record["update_time"]) > String(record["create_time"])).toBe(true);
    expect(record["updated_by"]).toBe(second.account);
    for (const at of [tenant, tenant.at(other.url)]) {
      const read = await at.send("GET", `${path}/${made.id}`);
      expect([read.body, read.headers.get("etag")]).toEqual([record, etag]);
    }
    const list = await tenant.send(
      "GET",
      `${path}?${sample.scope}=${String(record[sample.scope])}&full_fetch=true`,
    );
    expect(list.body["data"]).toContainEqual(record);
  });

  it("keeps, replaces or wants again what it does not bring, field by field", async () => {
    const { sample, made } = await another(path);
    const changed = await put(made.id, { ...sample.change(), display_name: "Second" });
    const answer = await put(made.id, leastOf(sample, changed.body));
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    for (const [name, field] of Object.entries(sample.description.fields)) {
      const expected =
        field.update === "replaced" && !(name in leastOf(sample, changed.body))
          ? field.default
          : changed.body[name];
      expect([name, answer.body[name]]).toEqual([name, expected]);
    }
    const required = Object.entries(sample.description.fields)
      .filter(([, { update }]) => update === "required")
      .map(([name]) => name);
    for (const empty of [{}, Object.fromEntries(required.map((name) => [name, null]))]) {
      const refused = await put(made.id, empty);
      expect(refused.status).toBe(required.length === 0 ? 200 : 422);
      const at = (refused.body.errors ?? []).map((error) => error.split(":")[0]);
      expect(at).toEqual(expect.arrayContaining(required));
    }
  });

  it("never changes what is fixed", async () => {
    const { sample, made, body } = await another(path);
    const fixed = Object.entries(sample.description.fields).filter(([, { update }]) => update === "fixed");
    expect(fixed.map(([name]) => name)).toEqual(expect.arrayContaining(["name", sample.parent]));
    const least = leastOf(sample, body);
    const others = Object.fromEntries(fixed.map(([name]) => [name, "another-one"]));
    const refused = await put(made.id, { ...least, ...others });
    expect([refused.status, refused.body.errors?.toSorted()]).toEqual([
      422,
      fixed.map(([name]) => `${name}: cannot be changed`).toSorted(),
    ]);
    const both = await put(made.id, { ...least, ...others, display_name: "x", description: 5 });
    expect([both.status, both.body.errors]).toEqual([
      422,
      [
        "display_name: 2-254 characters",
        "description: string expected",
        ...fixed.map(([name]) => `${name}: cannot be changed`),
      ],
    ]);
    expect((await tenant.send("GET", `${path}/${made.id}`)).body).toEqual(recordIn(made.body));
    const unknown = await put(newGid(sample.description.kind), { ...least, ...others, display_name: "x" });
    expect([unknown.status, unknown.body.errors]).toEqual([422, ["display_name: 2-254 characters"]]);
    const same = Object.fromEntries(fixed.map(([name]) => [name, made.body[name]]));
    expect((await put(made.id, { ...least, ...same })).status).toBe(200);
    const none = Object.fromEntries(fixed.map(([name]) => [name, null]));
    expect((await put(made.id, { ...least, ...none, unknown: 1 })).status).toBe(200);
  });

  it("keeps display name and description unless they are given, and takes them away for an empty text", async () => {
    const { sample, made, body } = await another(path);
    const least = leastOf(sample, body);
    for (const [given, display, description] of [
      [{}, "First", "first one"],
      [{ display_name: null, description: null }, "First", "first one"],
      [{ display_name: "Other" }, "Other", "first one"],
      [{ display_name: "" }, made.name, "first one"],
      [{ description: "" }, made.name, undefined],
      [{ description: "again" }, made.name, "again"],
    ] as const) {
      const answer = await put(made.id, { ...least, ...given });
      expect([given, answer.body["display_name"], answer.body["description"]]).toEqual([
        given,
        display,
        description,
      ]);
    }
    const refused = await put(made.id, { ...least, display_name: "x", description: 5 });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      ["display_name: 2-254 characters", "description: string expected"],
    ]);
  });

  it("makes a new ETag every time, also without a change", async () => {
    const { made, body } = await another(path);
    const etags = new Set([made.etag]);
    for (const round of [1, 2, 3]) {
      const answer = await put(made.id, body);
      expect([round, answer.status]).toEqual([round, 200]);
      expect(unstamped(answer.body)).toEqual(unstamped(made.body));
      etags.add(answer.headers.get("etag") ?? "");
    }
    expect(etags.size).toBe(4);
  });

  it("heeds If-Match, and changes nothing when it is stale", async () => {
    const { sample, made } = await another(path);
    let { etag } = made;
    for (const header of ["*", etag, () => etag, () => etag.replaceAll('"', ""), () => `"old", ${etag}`]) {
      const value = typeof header === "string" ? header : header();
      const answer = await put(made.id, sample.change(), { "if-match": value });
      const expected = header === made.etag && etag !== made.etag ? 412 : 200;
      expect([value, answer.status]).toEqual([value, expected]);
      if (expected === 200) etag = answer.headers.get("etag") ?? "";
    }
    const before = await tenant.send("GET", `${path}/${made.id}`);
    for (const value of [made.etag, `W/${etag}`, '"x"', ""]) {
      const stale = await put(made.id, { ...sample.change(), display_name: "Third" }, { "if-match": value });
      expect([stale.status, stale.body]).toEqual([
        412,
        {
          message: "Precondition Failed",
          errors: ["If-Match: does not match the record's current ETag; read the record again"],
        },
      ]);
    }
    const after = await tenant.send("GET", `${path}/${made.id}`);
    expect([after.body, after.headers.get("etag")]).toEqual([before.body, etag]);
  });

  it("lets exactly one of several with one ETag through, whichever process they reach", async () => {
    const { sample, made } = await another(path);
    let { etag } = made;
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        [tenant, tenant.at(other.url), tenant, tenant.at(other.url)].map((by, index) =>
          put(made.id, { ...sample.change(), display_name: `by ${index}` }, { "if-match": etag }, by),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
      const won = answers.find(({ status }) => status === 200);
      etag = won?.headers.get("etag") ?? "";
      const read = await tenant.send("GET", `${path}/${made.id}`);
      expect([read.body, read.headers.get("etag")]).toEqual([recordIn(won?.body ?? {}), etag]);
    }
    expect((await tenant.send("GET", `${path}/${made.id}?version=4`)).status).toBe(200);
    expect((await tenant.send("GET", `${path}/${made.id}?version=5`)).status).toBe(404);
  });

  it("keeps every former state under its version, with its ETag", async () => {
    const { sample, made } = await another(path);
    const states = [{ body: recordIn(made.body), etag: made.etag }];
    for (const display_name of ["Second", "Third"]) {
      const answer = await put(made.id, { ...sample.change(), display_name });
      states.push({ body: recordIn(answer.body), etag: answer.headers.get("etag") ?? "" });
    }
    const scope = `${sample.scope}=${String(made.body[sample.scope])}`;
    for (const [index, { body, etag }] of states.entries())
      for (const url of [
        `${path}/${made.id}?version=${index + 1}`,
        `${path}/${made.name}?${scope}&version=${index + 1}`,
      ]) {
        const read = await tenant.send("GET", url);
        expect([read.status, read.body, read.headers.get("etag")]).toEqual([200, body, etag]);
      }
    for (const method of ["PUT", "DELETE"]) {
      const body = method === "PUT" ? sample.change() : undefined;
      const stale = await tenant.send(method, `${path}/${made.id}`, body, { "if-match": made.etag });
      expect(stale.status).toBe(412);
    }
    expect((await tenant.send("GET", `${path}/${made.id}?version=4`)).status).toBe(404);
    expect((await tenant.send("DELETE", `${path}/${made.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `${path}/${made.id}?version=1`)).status).toBe(404);
    const left = await configs.graph.shared.read(
      "MATCH (v:_RecordVersion) WHERE v.id = $id RETURN v.version",
      { id: made.id },
      { timeoutMs: 80_000 },
    );
    expect(left).toEqual([]);
  });

  it("is announced", async () => {
    const { sample, made } = await another(path);
    await put(made.id, sample.change());
    const about = await configs.changesOf(made.id, 2);
    expect(about.map((change) => change["action"])).toEqual(["created", "updated"]);
    expect(about[1]).toMatchObject({
      kind: sample.description.kind,
      organization_id: tenant.organization,
      ...(made.body["project_id"] === undefined ? {} : { project_id: made.body["project_id"] }),
    });
  });

  it("is 404 for what is not there, by name, and for ids of other collections", async () => {
    const sample = sampleOf(path);
    const elsewhere = ours.samples.find((each) => each.path !== path);
    for (const id of [newGid(sample.description.kind), sample.made.name, elsewhere?.made.id, "gid:x", "x"]) {
      const answer = await put(String(id), sample.change());
      expect([id, answer.status, answer.body]).toEqual([id, 404, { message: "Not Found" }]);
    }
  });
});

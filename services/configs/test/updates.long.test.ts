import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import {
  type ConfigsUnderTest,
  freshName,
  type Made,
  startConfigs,
  type Tenant,
} from "./configs-under-test.ts";
import { type OtherProcess, startOtherProcess } from "./other-process.ts";
import { populate, type Population, recordIn, type Sample, updatedPaths } from "./populate.ts";

let configs: ConfigsUnderTest;
let other: OtherProcess;
let tenant: Tenant;
let ours: Population;

beforeAll(async () => {
  configs = await startConfigs();
  other = await startOtherProcess(configs.environment);
  tenant = await configs.tenant();
  ours = await populate(tenant);
});
afterAll(async () => {
  await other.close();
  await configs.close();
});

const sampleOf = (path: string): Sample => {
  const found = ours.samples.find((sample) => sample.path === path);
  if (found === undefined) throw new Error(path);
  return found;
};

/** A record of its own for one test. */
const another = async (
  path: string,
): Promise<{ sample: Sample; made: Made; body: Record<string, unknown> }> => {
  const sample = sampleOf(path);
  if (path === "/mcp-servers") await tenant.send("DELETE", `${path}/${lastServer}`);
  const body = { ...sample.body(), display_name: "First", description: "first one" };
  const made = await tenant.make(path, body);
  if (path === "/mcp-servers") lastServer = made.id;
  return { sample, made, body };
};
/** A project has one. */
let lastServer = "none";

/** The fields of a record that an update has to bring, with the values they have. */
const leastOf = ({ description }: Sample, from: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(description.fields)
      .filter(([name, { update }]) => update === "required" || name === "jwt_matcher")
      // A provider of one's own wants them again.
      .concat(
        description.kind === "audit_signing"
          ? [
              ["key_resource", {} as never],
              ["kid", {} as never],
            ]
          : [],
      )
      .map(([name]) => [name, from[name]]),
  );

/** What changes with every update. */
const unstamped = (record: Record<string, unknown>): Record<string, unknown> => {
  const { update_time: _time, updated_by: _by, ...rest } = recordIn(record);
  return rest;
};

/** What a body looks like when it is read: values of keys never come back. */
const shown = (body: Record<string, unknown>): Record<string, unknown> =>
  "auth_params" in body
    ? {
        ...body,
        auth_params: Object.fromEntries(Object.keys(body["auth_params"] as object).map((key) => [key, ""])),
      }
    : body;

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
        { message: "Precondition Failed", errors: ["If-Match: not the current state of the record"] },
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

describe("references", () => {
  it("move: what was named before may go, what is named now may not", async () => {
    const { ciq } = ours;
    const text = { project_id: ours.project.id, status: "ACTIVE", policy: ciq.body["policy"] };
    const [one, two] = [
      await tenant.make("/authorization-policies", { ...text, name: freshName() }),
      await tenant.make("/authorization-policies", { ...text, name: freshName() }),
    ];
    const query = sampleOf("/knowledge-queries");
    const made = await tenant.make("/knowledge-queries", { ...query.body(), policy_id: one.id });
    const remove = (id: string) => tenant.send("DELETE", `/authorization-policies/${id}`);
    expect((await remove(one.id)).status).toBe(409);
    const moved = await tenant.send("PUT", `/knowledge-queries/${made.id}`, {
      ...query.change(),
      policy_id: two.id,
    });
    expect(moved.status).toBe(200);
    expect((await remove(one.id)).status).toBe(200);
    const blocked = await remove(two.id);
    expect([blocked.status, blocked.body.errors]).toEqual([
      409,
      [`id: used by knowledge query ${made.name}`],
    ]);
    expect((await tenant.send("GET", `/knowledge-queries/${made.id}?version=1`)).body["policy_id"]).toBe(
      one.id,
    );
  });

  it("are 404 when unknown and 422 when of another project or kind", async () => {
    const elsewhere = await populate(tenant);
    const stranger = await populate(await configs.tenant());
    const { server } = ours;
    const least = leastOf(sampleOf("/mcp-servers"), server.body);
    const put = (change: object) => tenant.send("PUT", `/mcp-servers/${server.id}`, { ...least, ...change });
    for (const [change, status, errors] of [
      [{ app_agent_id: newGid("application_agent") }, 404, ["app_agent_id: not found"]],
      [{ token_introspect_id: newGid("token_introspect") }, 404, ["token_introspect_id: not found"]],
      [{ app_agent_id: stranger.agent.id }, 404, ["app_agent_id: not found"]],
      [
        { app_agent_id: elsewhere.agent.id, token_introspect_id: elsewhere.introspect.id },
        422,
        [
          "app_agent_id: application agent of the same project expected",
          "token_introspect_id: token introspect of the same project expected",
        ],
      ],
      [
        { app_agent_id: ours.introspect.id },
        422,
        ["app_agent_id: gid of a record of kind application agent expected"],
      ],
    ] as const) {
      const answer = await put(change);
      expect([change, answer.status, answer.body.errors]).toEqual([change, status, errors]);
      const created = await tenant.send("POST", "/mcp-servers", {
        ...sampleOf("/mcp-servers").request,
        ...change,
        name: freshName(),
      });
      expect([created.status, created.body.errors]).toEqual([status, errors]);
    }
  });

  it("keep agents and introspects of an MCP server from being removed, alone", async () => {
    const own = await populate(tenant);
    const name = `id: used by mcp server ${own.server.name}`;
    for (const path of [`/application-agents/${own.agent.id}`, `/token-introspects/${own.introspect.id}`]) {
      const blocked = await tenant.send("DELETE", path);
      expect([blocked.status, blocked.body]).toEqual([409, { message: "Conflict", errors: [name] }]);
    }
    // Inside a cascade nothing blocks.
    expect((await tenant.send("DELETE", `/applications/${own.application.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `/mcp-servers/${own.server.id}`)).body).toEqual(own.server.body);
    expect((await tenant.send("DELETE", `/external-data-resolvers/${own.resolver.id}`)).status).toBe(200);
    expect((await tenant.send("DELETE", `/projects/${own.project.id}`)).status).toBe(200);
  });

  it("of queries hold a policy to its kind", async () => {
    const { ciq, kbac } = ours;
    const put = (policy: unknown, status = "ACTIVE") =>
      tenant.send("PUT", `/authorization-policies/${ciq.id}`, { policy, status });
    for (const status of ["ACTIVE", "DRAFT"]) {
      const refused = await put(kbac.body["policy"], status);
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        ["policy: CIQ policy expected, knowledge queries use it"],
      ]);
    }
    const breaking = String(ciq.body["policy"]).replaceAll("price", "other");
    expect((await put(breaking)).status).toBe(200);
    expect((await put("any text", "DRAFT")).status).toBe(200);
    // A draft in between makes it no other policy.
    expect((await put(kbac.body["policy"])).status).toBe(422);
    expect((await put(ciq.body["policy"])).status).toBe(200);
    const free = await tenant.make("/authorization-policies", {
      ...sampleOf("/authorization-policies").body(),
      policy: ciq.body["policy"],
    });
    const turned = await tenant.send("PUT", `/authorization-policies/${free.id}`, {
      policy: kbac.body["policy"],
      status: "ACTIVE",
    });
    expect(turned.status).toBe(200);
  });
});

describe("what a project has once", () => {
  it("moves with an update, and is refused where another has it", async () => {
    const path = "/token-introspects";
    const { sample } = await another(path);
    const [one, two] = [await tenant.make(path, sample.body()), await tenant.make(path, sample.body())];
    const former = one.body["jwt_matcher"];
    const put = (id: string, jwt_matcher: unknown) =>
      tenant.send("PUT", `${path}/${id}`, { jwt_matcher, ikg_node_type: "Person" });
    const clash = await put(two.id, former);
    expect([clash.status, clash.body.errors]).toEqual([
      409,
      ["jwt_matcher: the project has a configuration for this issuer and audience"],
    ]);
    expect((await put(one.id, former)).status).toBe(200);
    expect((await put(one.id, { issuer: "https://new.example", audience: freshName() })).status).toBe(200);
    expect((await put(two.id, former)).status).toBe(200);
    const matcher = { issuer: "https://race.example", audience: freshName() };
    const answers = await Promise.all([put(one.id, matcher), put(two.id, matcher)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.errors).toHaveLength(1);
  });

  it("is one MCP server and one profile per node type", async () => {
    const server = await tenant.send("POST", "/mcp-servers", {
      ...sampleOf("/mcp-servers").request,
      name: freshName(),
    });
    expect([server.status, server.body.errors]).toEqual([409, ["project_id: the project has an MCP server"]]);
    const profile = await tenant.send("POST", "/trust-score-profiles", {
      ...sampleOf("/trust-score-profiles").request,
      name: freshName(),
    });
    expect([profile.status, profile.body.errors]).toEqual([
      409,
      ["node_classification: the project has a profile for this type"],
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { auditKeyKey, auditKeyLabel } from "@ikg/physical";
import {
  type Answer,
  type ConfigsUnderTest,
  freshName,
  kbacText,
  type Made,
  startConfigs,
  type Tenant,
} from "./configs-under-test.ts";
import { populate, type Population, recordIn, serverBody } from "./populate.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let ours: Population;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  ours = await populate(tenant);
});
afterAll(() => configs.close());

/** Another record beside the ones that are there, with other values for some fields. */
const another = (path: string, more: object = {}): Promise<Made> => {
  const sample = ours.samples.find((each) => each.path === path);
  return tenant.make(path, { ...sample?.body(), ...more });
};
const refused = (answer: Answer): unknown => {
  expect([answer.status, answer.body.message]).toEqual([422, "Unprocessable Entity"]);
  expect(Object.keys(answer.body)).toEqual(["message", "errors"]);
  return answer.body.errors;
};

describe("trust score profiles", () => {
  const path = "/trust-score-profiles";

  it("keep their dimensions for [] and without them, and replace them otherwise, in the order given", async () => {
    const made = await another(path);
    const put = async (body: object) => (await tenant.send("PUT", `${path}/${made.id}`, body)).body;
    const { dimensions } = made.body;
    expect(await put({ schedule: "THREE_HOURS", dimensions: [] })).toMatchObject({
      schedule: "THREE_HOURS",
      dimensions,
    });
    expect(await put({})).toMatchObject({ schedule: "THREE_HOURS", dimensions });
    const other = [
      { name: "ORIGIN", weight: 1 },
      { name: "COMPLETENESS", weight: 0 },
    ];
    expect(await put({ dimensions: other })).toMatchObject({ schedule: "THREE_HOURS", dimensions: other });
  });

  it("have not run yet, whatever version is asked for", async () => {
    const made = await another(path);
    const before = { last_run_id: "", last_run_start_time: "", last_run_end_time: "" };
    expect(made.body).toMatchObject(before);
    expect(made.body).not.toHaveProperty("dimensions_execution_times");
    await tenant.send("PUT", `${path}/${made.id}`, {});
    expect((await tenant.send("GET", `${path}/${made.id}?version=1`)).body).toMatchObject(before);
  });

  it("say what is wrong with dimensions and types", async () => {
    const made = await another(path);
    const put = async (body: object) => refused(await tenant.send("PUT", `${path}/${made.id}`, body));
    expect(
      await put({
        schedule: "HOURLY",
        dimensions: [
          { name: "VALIDITY", weight: 0 },
          { name: "VALIDITY", weight: 0 },
        ],
      }),
    ).toEqual([
      "schedule: one of THREE_HOURS, SIX_HOURS, TWELVE_HOURS, DAILY",
      "dimensions[1].name: VALIDITY is named twice",
      "dimensions: at least one weight above 0",
    ]);
    expect(await put({ dimensions: [{ name: "TASTE", weight: 2 }, {}] })).toHaveLength(4);
    expect(await put({ node_classification: "Other" })).toEqual(["node_classification: cannot be changed"]);
    const post = (more: object) =>
      tenant.send("POST", path, {
        project_id: ours.project.id,
        name: freshName(),
        node_classification: "Fine",
        schedule: "DAILY",
        dimensions: [{ name: "ORIGIN", weight: 1 }],
        ...more,
      });
    expect(refused(await post({ dimensions: [] }))).toEqual(["dimensions: at least one entry"]);
    for (const node_classification of ["_Person", "P", "1A", "A-B", "A".repeat(65)])
      expect(refused(await post({ node_classification }))).toHaveLength(1);
  });
});

describe("external data resolvers", () => {
  const path = "/external-data-resolvers";
  const required = {
    url: "https://api.example/{$a}",
    method: "POST",
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".",
  };

  it("take header values alone or in arrays and give arrays, keep them, and clear them for {}", async () => {
    const made = await another(path, {
      headers: { "X-One": "1", "X-Two": ["2", "3"] },
      request_payload: '{"p":"$a"}',
    });
    const headers = { "X-One": ["1"], "X-Two": ["2", "3"] };
    expect(made.body).toMatchObject({ headers, request_payload: '{"p":"$a"}' });
    const put = async (body: object) =>
      (await tenant.send("PUT", `${path}/${made.id}`, { ...required, ...body })).body;
    expect(await put({})).toMatchObject({ headers, request_payload: '{"p":"$a"}' });
    expect(await put({ headers: null, request_payload: null })).toMatchObject({
      headers,
      request_payload: '{"p":"$a"}',
    });
    expect(await put({ headers: { A: "b" } })).toMatchObject({ headers: { A: ["b"] } });
    const cleared = await put({ headers: {}, request_payload: "" });
    expect(cleared["headers"]).toEqual({});
    expect(cleared).not.toHaveProperty("request_payload");
    expect((await put({}))["headers"]).toEqual({});
    expect((await tenant.send("GET", `${path}/${made.id}?version=1`)).body).toMatchObject({
      headers,
      request_payload: '{"p":"$a"}',
    });
  });

  it("want addresses, headers and types that can be used", async () => {
    const made = await another(path);
    const put = async (body: object) =>
      refused(await tenant.send("PUT", `${path}/${made.id}`, { ...required, ...body }));
    expect(
      await put({
        url: "ftp://x",
        method: "DELETE",
        headers: { "a b": "x", C: "", D: ["ok", "a\r\nb"], E: [], F: 5 },
        request_content_type: "XML",
        request_payload: "p",
        response_selector: "",
      }),
    ).toEqual([
      "url: http or https URL expected",
      "method: one of GET, POST, PUT, PATCH",
      "headers.a b: name of letters, digits and hyphens",
      "headers.C: 1-255 characters without control characters",
      "headers.D[1]: 1-255 characters without control characters",
      "headers.E: at least one value",
      "headers.F: 1-255 characters without control characters",
      "request_content_type: one of JSON",
      "request_payload: JSON expected",
      "response_selector: 1-255 characters",
    ]);
    for (const url of ["/path", "https://u:p@host/", `https://x/${"a".repeat(2048)}`])
      expect(await put({ url })).toHaveLength(1);
  });

  it("are refused when no call could be made of them, also when they are made", async () => {
    const faults = {
      url: "https://{$h}/",
      headers: { HOST: "x", "Proxy-Authorization": "x", "X-A": ["{$a", "ü"] },
      request_payload: '{"a":"{$a"}',
      response_selector: "$[?search(@.a, 'x')]",
    };
    const form = "a placeholder is written {$name} or {$name || default}";
    const expected = [
      "url: placeholders may stand in path and query only",
      "headers.HOST: not a header that a resolver may set",
      "headers.Proxy-Authorization: not a header that a resolver may set",
      `headers.X-A[0]: ${form}`,
      "headers.X-A[1]: visible ASCII characters and spaces only",
      `request_payload: ${form}`,
      "response_selector: functions are count, value, length",
    ];
    const made = await another(path);
    const put = await tenant.send("PUT", `${path}/${made.id}`, { ...required, ...faults });
    expect(refused(put)).toEqual(expected);
    const common = { project_id: ours.project.id, name: freshName() };
    expect(refused(await tenant.send("POST", path, { ...common, ...required, ...faults }))).toEqual(expected);
    for (const url of ["https://x.example/#a", "https://x.example/{$a}#", "https://x.example/{$a"])
      expect(refused(await tenant.send("POST", path, { ...common, ...required, url }))).toHaveLength(1);
    const node = "a value of the node is written {$node.property.name}, ";
    for (const url of [
      "https://x.example/{$node.latitude}",
      "https://x.example/?a={$node.property.a.metadata.b}",
    ])
      expect(refused(await tenant.send("POST", path, { ...common, ...required, url }))).toEqual([
        expect.stringContaining(`url: ${node}`),
      ]);
    expect(
      refused(
        await tenant.send("POST", path, { ...common, ...required, request_payload: '["$node.latitude"]' }),
      ),
    ).toEqual([expect.stringContaining(`request_payload: ${node}`)]);
    for (const response_selector of ["$[", ".a | .b", "a"])
      expect(
        refused(await tenant.send("POST", path, { ...common, ...required, response_selector })),
      ).toHaveLength(1);
    const kept = await tenant.send("POST", path, {
      ...common,
      ...required,
      headers: { "Content-Type": "text/plain", accept: "*/*" },
    });
    expect(kept.status).toBe(201);
  });
});

describe("token introspects", () => {
  const path = "/token-introspects";

  it("are replaced as a whole, the form of what was written kept", async () => {
    const made = await another(path);
    const jwt_matcher = { issuer: "https://issuer.example", audience: freshName() };
    const put = async (body: object) => tenant.send("PUT", `${path}/${made.id}`, body);
    const least = await put({ jwt_matcher, ikg_node_type: "Person" });
    expect(least.body).toMatchObject({ jwt_matcher, claims_mapping: {}, perform_upsert: false });
    for (const field of ["offline_validation", "online_validation", "sub_claim", "opaque_matcher"])
      expect(least.body).not.toHaveProperty(field);
    const empty = { jwt_matcher, ikg_node_type: "Person", offline_validation: {}, sub_claim: "id" };
    expect((await put(empty)).body).toMatchObject({ offline_validation: {}, sub_claim: "id" });
    expect(refused(await put({ ikg_node_type: "Person" }))).toEqual([
      "jwt_matcher: required, unless there is an opaque_matcher",
    ]);
  });

  it("turn to opaque tokens and back, and never show the client secret", async () => {
    const made = await another(path);
    const { jwt_matcher } = made.body;
    const online_validation = {
      introspection_endpoint: "https://issuer.example/introspect",
      client_id: "me",
      client_secret: "hidden-client-secret",
      cache_ttl: 60,
    };
    const opaque = { opaque_matcher: { hint: "idp" }, online_validation, ikg_node_type: "Person" };
    const answer = await tenant.send("PUT", `${path}/${made.id}`, opaque);
    const { client_secret: _secret, ...shown } = online_validation;
    expect(answer.body).toMatchObject({ opaque_matcher: { hint: "idp" }, online_validation: shown });
    expect(answer.body).not.toHaveProperty("jwt_matcher");
    const second = await tenant.send("POST", path, {
      project_id: ours.project.id,
      name: freshName(),
      ...opaque,
    });
    expect([second.status, second.body.errors]).toEqual([
      409,
      ["opaque_matcher: the project has a configuration for opaque tokens"],
    ]);
    await tenant.send("PUT", `${path}/${made.id}`, { jwt_matcher, ikg_node_type: "Person" });
    const seen = await Promise.all(
      ["", "?version=1", "?version=2"].map((query) => tenant.send("GET", `${path}/${made.id}${query}`)),
    );
    seen.push(await tenant.send("GET", `${path}?project_id=${ours.project.id}&full_fetch=true`), answer);
    for (const { text } of seen) expect(text).not.toContain("hidden-client-secret");
    expect(seen[2]?.body["online_validation"]).toEqual(shown);
  });
});

describe("MCP servers", () => {
  const path = "/mcp-servers";

  it("keep the order of scopes and take If-Match as a query parameter when they go", async () => {
    const own = await populate(tenant);
    const { server } = own;
    expect(server.body["scopes_supported"]).toEqual(["b", "a", "b"]);
    const remove = (query: string, headers?: Record<string, string>) =>
      tenant.send("DELETE", `${path}/${server.id}${query}`, undefined, headers);
    for (const query of ["?etag=old", `?etag=${encodeURIComponent('"old"')}`, "?etag="])
      expect([query, (await remove(query)).status]).toEqual([query, 412]);
    expect((await remove("?etag=a&etag=b")).status).toBe(400);
    const etag = encodeURIComponent(server.etag);
    expect((await remove(`?etag=${etag}`, { "if-match": '"old"' })).status).toBe(412);
    const removed = await remove(`?etag=${etag}`);
    expect([removed.status, removed.body]).toEqual([200, { id: server.id }]);
    await tenant.make(path, serverBody({ ...own }));
  });

  it("want at least one scope and a switch", async () => {
    const { server } = ours;
    const { app_agent_id, token_introspect_id } = server.body;
    const put = (more: object) =>
      tenant.send("PUT", `${path}/${server.id}`, { app_agent_id, token_introspect_id, ...more });
    expect(refused(await put({ enabled: "yes", scopes_supported: [] }))).toEqual([
      "enabled: boolean expected",
      "scopes_supported: at least one entry",
    ]);
    expect(refused(await put({ enabled: true, scopes_supported: ["", "x".repeat(257), 1] }))).toHaveLength(3);
  });

  it("the query parameter means nothing elsewhere", async () => {
    const made = await another("/audit-signings");
    expect((await tenant.send("DELETE", `/audit-signings/${made.id}?etag=old`)).status).toBe(200);
  });
});

describe("audit signings", () => {
  const path = "/audit-signings";
  const aws = { provider: "CUSTOMER_AWS_KMS", key_resource: "arn:one", kid: "one" };
  const secrets = { region: "eu", secret_access_key: "aws-hidden-value" };
  const masked = { region: "", secret_access_key: "" };
  const put = (made: Made, body: object) => tenant.send("PUT", `${path}/${made.id}`, body);

  it("show keys of auth_params and no value, in answers, lists and versions", async () => {
    const made = await another(path, { ...aws, auth_params: secrets });
    const second = await put(made, { ...aws, auth_params: { ...secrets, more: "aws-hidden-too" } });
    const answers = [
      made.body,
      second.body,
      (await tenant.send("GET", `${path}/${made.id}`)).body,
      (await tenant.send("GET", `${path}/${made.id}?version=1`)).body,
      (await tenant.send("GET", `${path}/${made.name}?project_id=${ours.project.id}&version=2`)).body,
    ];
    expect(answers.map((body) => body["auth_params"])).toEqual([
      masked,
      { ...masked, more: "" },
      { ...masked, more: "" },
      masked,
      { ...masked, more: "" },
    ]);
    const list = await tenant.send("GET", `${path}?project_id=${ours.project.id}`);
    expect(list.body["data"]).toContainEqual(recordIn(second.body));
    for (const text of [JSON.stringify(answers), list.text, JSON.stringify(configs.changes)])
      expect(text).not.toContain("aws-hidden");
  });

  it("keep auth_params of the same provider unless they are given, and clear them for {}", async () => {
    const made = await another(path, { ...aws, auth_params: secrets });
    const kept = async () => (await tenant.send("GET", `${path}/${made.id}`)).body["auth_params"];
    for (const auth_params of [undefined, null]) {
      const answer = await put(made, { ...aws, key_resource: "arn:two", auth_params });
      expect([answer.status, answer.body["key_resource"], await kept()]).toEqual([200, "arn:two", masked]);
    }
    expect((await put(made, { ...aws, auth_params: { other: "x" } })).body["auth_params"]).toEqual({
      other: "",
    });
    expect(refused(await put(made, { ...aws, auth_params: { other: "" } }))).toEqual([
      "auth_params.other: 1-256 characters",
    ]);
    expect(await kept()).toEqual({ other: "" });
    expect((await put(made, { ...aws, auth_params: {} })).body["auth_params"]).toEqual({});
    expect((await put(made, aws)).body["auth_params"]).toEqual({});
  });

  it("refuse another key under a name that has signed, and take the same one", async () => {
    const made = await another(path, aws);
    const key = auditKeyKey(ours.project.id, "signed");
    const run = (text: string) =>
      configs.graph.shared.write((tx) => tx.run(text, { key }), { timeoutMs: 80_000 });
    await run(`CREATE (:${auditKeyLabel} {key: $key, key_resource: 'arn:signed'})`);
    try {
      const reused = { ...aws, kid: "signed" };
      expect(refused(await put(made, { ...reused, key_resource: "arn:other" }))).toEqual([
        "kid: has signed records with another key_resource",
      ]);
      expect((await put(made, { ...reused, key_resource: "arn:signed" })).status).toBe(200);
      // A name that never signed may mean anything.
      expect((await put(made, { ...aws, kid: "fresh", key_resource: "arn:other" })).status).toBe(200);
    } finally {
      await run(`MATCH (k:${auditKeyLabel} {key: $key}) DELETE k`);
    }
  });

  it("drop everything of the former provider", async () => {
    const made = await another(path, { ...aws, auth_params: secrets });
    const gcp = { provider: "CUSTOMER_GCP_KMS", key_resource: "projects/x", kid: "two" };
    const moved = await put(made, gcp);
    expect(moved.body).toMatchObject(gcp);
    expect(moved.body).not.toHaveProperty("auth_params");
    await put(made, { ...gcp, auth_params: { json: "gcp-hidden" } });
    const platform = await put(made, {
      provider: "PLATFORM_MANAGED",
      key_resource: "",
      kid: null,
      auth_params: {},
    });
    expect([platform.status, platform.body.errors]).toEqual([200, undefined]);
    for (const field of ["key_resource", "kid"]) expect(platform.body).not.toHaveProperty(field);
    expect(platform.body["auth_params"] ?? {}).toEqual({});
    expect((await put(made, { provider: "PLATFORM_MANAGED" })).body).toMatchObject({
      provider: "PLATFORM_MANAGED",
    });
    const back = await put(made, gcp);
    expect(back.body["auth_params"] ?? {}).toEqual({});
  });

  it("say every reason at once", async () => {
    const made = await another(path);
    for (const provider of ["CUSTOMER_GCP_KMS", "CUSTOMER_AWS_KMS", "CUSTOMER_AZURE_KEY_VAULT"])
      for (const empty of [{}, { key_resource: "", kid: "" }, { key_resource: null, kid: null }]) {
        const post = { project_id: ours.project.id, name: freshName(), provider, ...empty };
        for (const answer of [await put(made, { provider, ...empty }), await tenant.send("POST", path, post)])
          expect(refused(answer)).toEqual(["key_resource: required", "kid: required"]);
      }
    expect(
      refused(
        await put(made, {
          provider: "PLATFORM_MANAGED",
          key_resource: "a",
          kid: "b",
          auth_params: { c: "d" },
          display_name: "x",
        }),
      ),
    ).toEqual([
      "display_name: 2-254 characters",
      "key_resource: not for PLATFORM_MANAGED",
      "kid: not for PLATFORM_MANAGED",
      "auth_params: not for PLATFORM_MANAGED",
    ]);
    expect(refused(await put(made, { provider: "OWN", kid: "x".repeat(257) }))).toEqual([
      expect.stringMatching(/^provider: one of PLATFORM_MANAGED, /),
      "kid: 1-256 characters",
    ]);
    expect(
      refused(
        await put(made, {
          ...aws,
          auth_params: { "": "x", ["k".repeat(257)]: "x", long: "x".repeat(257), number: 5 },
        }),
      ),
    ).toHaveLength(4);
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, "v"]));
    expect(refused(await put(made, { ...aws, auth_params: many }))).toEqual([
      "auth_params: at most 32 entries",
    ]);
    for (const auth_params of [[], "text", 5])
      expect(refused(await put(made, { ...aws, auth_params }))).toEqual(["auth_params: object expected"]);
    expect(
      refused(await tenant.send("POST", path, { project_id: ours.project.id, name: freshName() })),
    ).toEqual(["provider: required"]);
  });

  it("may be several in a project", async () => {
    await another(path);
    await another(path, { provider: "PLATFORM_MANAGED", key_resource: "", kid: "", auth_params: {} });
  });
});

describe("service accounts", () => {
  it("have credentials that show their token once", async () => {
    const account = await another("/service-accounts", { role: "all_editor" });
    const path = "/service-account-credentials";
    const made = await tenant.make(path, { service_account_id: account.id });
    const { token, ...rest } = made.body["service_account_config"] as Record<string, string>;
    expect(rest).toEqual({ baseUrl: "https://ikg.example", serviceAccountId: account.id });
    expect(token).toMatch(/^sa1_[0-9a-z]{16}_[\w-]{43}_[0-9a-f]{8}$/);
    expect(made.body["display_name"]).toBe(made.body["kid"]);
    const seen = [
      (await tenant.send("GET", `${path}/${made.id}`)).text,
      (await tenant.send("GET", `${path}?organization_id=${tenant.organization}`)).text,
    ].join();
    expect(seen).toContain(made.body["kid"]);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain("service_account_config");
    expect((await tenant.send("DELETE", `/service-accounts/${account.id}`)).status).toBe(200);
    expect((await tenant.send("GET", `${path}/${made.id}`)).status).toBe(404);
    expect((await configs.changesOf(made.id, 2)).map((change) => change["action"])).toEqual([
      "created",
      "deleted",
    ]);
  });
});

describe("projects", () => {
  it("keep what they are for, whatever an update says", async () => {
    const made = await another("/projects", { name: freshName(), purpose: "TEST" });
    expect(made.body["purpose"]).toBe("TEST");
    const changed = await tenant.send("PUT", `/projects/${made.id}`, { display_name: "Later", purpose: "x" });
    expect([changed.status, changed.body["purpose"]]).toEqual([200, "TEST"]);
    expect((await tenant.project()).body).not.toHaveProperty("purpose");
  });

  it("show in every version the state that their graph has now", async () => {
    const project = await tenant.project();
    const update = { display_name: "Later", region: "us-east1", ikg_size: "4GB" };
    const later = await tenant.send("PUT", `/projects/${project.id}`, update);
    const { region, ikg_size, ikg_status } = project.body;
    expect(ikg_status).toBe("ACTIVE");
    expect(later.body).toMatchObject({ display_name: "Later", region, ikg_size, ikg_status });
    const set = (value: string) =>
      configs.graph.shared.write(
        (tx) => tx.run("MATCH (p:_Record {id: $id}) SET p.ikg_status = $value", { id: project.id, value }),
        { timeoutMs: 80_000 },
      );
    await set("FAILED");
    for (const version of [1, 2]) {
      const read = await tenant.send("GET", `/projects/${project.id}?version=${version}`);
      expect([version, read.body["ikg_status"]]).toEqual([version, "FAILED"]);
    }
  });
});

describe("limits of a project", () => {
  it("are kept, replaced and removed, and never above the operator's maximum", async () => {
    const project = await tenant.project();
    const put = (limits: object) => tenant.send("PUT", `/projects/${project.id}`, { limits });
    expect(project.body["limits"]).toBeUndefined();
    expect((await put({ page_bytes: 1_000_000, node_types: 12 })).body["limits"]).toEqual({
      page_bytes: 1_000_000,
      node_types: 12,
    });
    expect((await tenant.send("PUT", `/projects/${project.id}`, {})).body["limits"]).toMatchObject({
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
    const above = await put({ page_bytes: 8_000_001 });
    expect([above.status, above.body["errors"]]).toEqual([
      422,
      ["limits.page_bytes: at most 8000000 expected; the operator's LIMIT_PAGE_BYTES_MAX raises it"],
    ]);
    expect((await put({})).body["limits"]).toEqual({});
  });
});

describe("application agents", () => {
  it("keep permissions unless they are given, and never lose the last", async () => {
    const made = await another("/application-agents");
    const put = (body: object) => tenant.send("PUT", `/application-agents/${made.id}`, body);
    expect((await put({})).body["api_permissions"]).toEqual(["Capture", "ContXIQ"]);
    const given = ["IKGRead", "Capture", "IKGRead"];
    expect((await put({ api_permissions: given })).body["api_permissions"]).toEqual(["IKGRead", "Capture"]);
    expect(refused(await put({ api_permissions: [] }))).toEqual(["api_permissions: at least one entry"]);
    expect(refused(await put({ api_permissions: ["Root"] }))).toHaveLength(1);
  });
});

describe("policies and queries", () => {
  it("answer warnings when they are written, and not when they are read", async () => {
    const made = await another("/authorization-policies");
    expect(made.body["warnings"]).toEqual(expect.any(Array));
    const put = await tenant.send("PUT", `/authorization-policies/${made.id}`, {
      policy: kbacText().replace("(resource:Car)", "(resource:Car) WHERE subject.property.a = 1"),
      status: "ACTIVE",
    });
    expect(put.body["warnings"]).toEqual(expect.any(Array));
    expect((await tenant.send("GET", `/authorization-policies/${made.id}`)).body).toEqual(recordIn(put.body));
  });

  it("keep tags unless they are given, and clear them for []", async () => {
    const made = await another("/authorization-policies", { tags: ["a", "b"] });
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

  it("is no obstacle to a record of that name", async () => {
    const made = await tenant.make("/authorization-policies", {
      project_id: ours.project.id,
      name: "validate",
      policy: kbacText(),
      status: "ACTIVE",
    });
    const read = await tenant.send("GET", `/authorization-policies/validate?project_id=${ours.project.id}`);
    expect([read.status, read.body["id"]]).toEqual([200, made.id]);
    await tenant.send("DELETE", `/authorization-policies/${made.id}`);
  });

  it("are judged without being stored", async () => {
    const count = async () => {
      const list = await tenant.send("GET", `/authorization-policies?project_id=${ours.project.id}`);
      return (list.body["data"] as unknown[]).length;
    };
    const before = await count();
    const policy = { project_id: ours.project.id, name: freshName(), policy: kbacText(), status: "ACTIVE" };
    const path = "/authorization-policies/validate";
    const fine = await tenant.send("POST", path, policy);
    expect([fine.status, fine.body]).toEqual([200, { warnings: expect.any(Array) }]);
    expect(refused(await tenant.send("POST", path, { ...policy, policy: "{}" }))).not.toEqual([]);
    expect((await tenant.send("POST", path, { ...policy, project_id: newGid("project") })).status).toBe(404);
    const query = {
      project_id: ours.project.id,
      name: freshName(),
      policy_id: ours.ciq.id,
      query: '{"nodes":["car.property.none"]}',
      status: "ACTIVE",
    };
    expect(refused(await tenant.send("POST", "/knowledge-queries/validate", query))).not.toEqual([]);
    expect(await count()).toBe(before);
    expect((await tenant.send("PUT", path, policy)).status).toBe(404);
    expect((await tenant.send("PATCH", path, policy)).status).toBe(405);
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

import { describe, expect, it } from "@jest/globals";
import { freshName } from "./tenant.ts";
import { populate, serverBody } from "./populate.ts";
import { usePopulation, tenant, ours, another, refused } from "./populated.ts";

usePopulation();

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

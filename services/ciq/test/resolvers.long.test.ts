import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { changesChannel, newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { externalValueField } from "@ikg/physical";
import { keyRing, seal } from "@ikg/secrets";
import { Redis } from "ioredis";
import { type Answer, type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, setting, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

const key = randomBytes(32);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  return port;
};

const secret = `hidden${randomBytes(9).toString("hex")}`;
const cars = 120;

let graph: Graph;
let redis: Redis;
let upstream: Upstream;
let ciq: CiqProcess;
let project: StoredProject;
let garage: TestProject;
let vans: Awaited<ReturnType<StoredProject["policy"]>>;
let policyId: Awaited<ReturnType<StoredProject["policy"]>>;
let gid: string;

/** Resolvers by the first step of their path. */
const resolver = (path: string, more: Json = {}): Json => ({
  url: `${upstream.url}/${path}`,
  method: "GET",
  request_content_type: "JSON",
  response_content_type: "JSON",
  response_selector: ".current",
  ...more,
});

const failing = {
  slow: "upstream_timeout",
  endless: "response_too_large",
  drop: "upstream_unreachable",
  half: "upstream_unreachable",
  redirect: "upstream_status",
  status: "upstream_status",
  html: "content_type_mismatch",
  untyped: "content_type_mismatch",
  big: "response_too_large",
  gzip: "content_type_mismatch",
  utf8: "invalid_json",
  invalid: "invalid_json",
  empty: "content_type_mismatch",
  deep: "invalid_json",
} as const;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  redis = new Redis(setting("REDIS_URL"));
  upstream = await startUpstream();
  project = await storeProject(graph);
  ciq = await startCiqProcess({
    CONFIG_ENCRYPTION_KEY: key.toString("base64"),
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
    EDR_TIMEOUT_MS: "2000",
    LOG_LEVEL: "debug",
  });
  const failures = Object.fromEntries(Object.keys(failing).map((name) => [externalValueField(name), name]));
  const places = { [externalValueField("weather")]: "weather" };
  garage = await openProject(
    graph,
    {
      nodes: {
        [`_Application/${ciq.application}`]: {},
        "Garage/g1": {},
        "Car/car1": { "name.metadata.source": "dealer", name: "One", [externalValueField("price")]: "price" },
        "Car/car2": {
          [externalValueField("price")]: "price",
          "price.metadata.source": "pricing-api",
          [externalValueField("nothing")]: "nothing",
          [externalValueField("list")]: "list",
          [externalValueField("meta")]: "meta",
          [externalValueField("chunks")]: "chunks",
          [externalValueField("problem")]: "problem",
          [externalValueField("nearly")]: "nearly",
          [externalValueField("echo")]: "echo",
          [externalValueField("echo_again")]: "echo",
          [externalValueField("plain")]: "plain",
          [externalValueField("absent")]: "absent",
          [externalValueField("no_match")]: "no-match",
          [externalValueField("param")]: "param",
          [externalValueField("type")]: "no-match",
        },
        "Car/bad": failures,
        "Car/placed": {
          ...places,
          latitude: 59.33,
          place: "\u00d6st/V\u00e4st ?#",
          code: "P 1",
          tags: ["a", "b"],
          hidden: "not for everybody",
        },
        "Car/lost": { ...places, latitude: 1, place: "x", code: "P 1\r\nX-Evil: 1", tags: [] },
        "Car/unplaced": { ...places, place: "x", code: "P 2" },
        "Car/named": { [externalValueField("price")]: "PRICE_GID" },
        ...Object.fromEntries(
          Array.from({ length: cars }, (_, index) => [
            `Van/v${String(index).padStart(3, "0")}`,
            {
              [externalValueField("own")]: "own",
              [externalValueField("same")]: "price",
              [externalValueField("wait")]: "wait",
            },
          ]),
        ),
      },
      edges: [
        [`_Application/${ciq.application}`, "RUNS", "Garage/g1"],
        ...["car1", "car2", "bad", "named", "placed", "lost", "unplaced"].map(
          (id) => ["Garage/g1", "HAS", `Car/${id}`] as const,
        ),
        ...Array.from(
          { length: cars },
          (_, index) => ["Garage/g1", "HOLDS", `Van/v${String(index).padStart(3, "0")}`] as const,
        ),
      ],
    },
    project.pk,
  );
  const keys = keyRing(key, []);
  const echoId = newGid("external_data_resolver");
  const headers = { Authorization: [`Bearer ${secret}`], "X-Two": ["one", "{$two}"], Accept: ["text/plain"] };
  await project.resolver(
    "echo",
    resolver("echo/{$a}/{$_externalId}/{$_nodeType}/{$_propertyType}?q={$q || none}&app={$_appId}", {
      method: "POST",
      headers: seal(keys, { record: echoId, field: "headers" }, JSON.stringify(headers)),
      request_payload: '{"typed":"$n","text":"n is {$n}","{$a}":["{$flag || off}"]}',
      response_selector: "$",
    }),
    echoId,
  );
  await project.resolver(
    "plain",
    resolver("plain", { request_payload: '"never sent"', response_selector: ".body" }),
  );
  const weatherId = newGid("external_data_resolver");
  const code = { "X-Code": ["{$node.property.code}"] };
  await project.resolver(
    "weather",
    resolver(
      "echo/{$node.property.place}/{$node.external_id}/{$node.type}?z={$node.property.zoom || 7}&n={$n || 0}",
      {
        method: "POST",
        headers: seal(keys, { record: weatherId, field: "headers" }, JSON.stringify(code)),
        request_payload:
          '{"lat":"$node.property.latitude","text":"at {$node.property.place}","tags":"{$node.property.tags || none}"}',
        response_selector: "$",
      },
    ),
    weatherId,
  );
  gid = await project.resolver("price", resolver("price"));
  await project.resolver("nothing", resolver("price", { response_selector: "$.nothing" }));
  await project.resolver("list", resolver("price", { response_selector: "$.list[*]" }));
  await project.resolver("meta", resolver("price", { response_selector: ".chart.result[0].meta" }));
  await project.resolver("no-match", resolver("price", { response_selector: ".chart.none" }));
  await project.resolver("param", resolver("price/{$missing}"));
  await project.resolver("own", resolver("own/{$_externalId}", { response_selector: ".url" }));
  await project.resolver("wait", resolver("wait/{$_externalId}", { response_selector: ".url" }));
  for (const name of ["chunks", "problem", "nearly", ...Object.keys(failing)])
    await project.resolver(name, resolver(name));
  await garage.run("MATCH (n {_key: $k}) SET n.`price.external_value` = $gid", {
    k: `${project.pk}/Car/named`,
    gid,
  });
  vans = await project.policy({
    subject: { type: "_Application" },
    condition: { cypher: "MATCH (subject:_Application)-[:RUNS]->(g:Garage)-[:HOLDS]->(van:Van)" },
    allowed_reads: { nodes: ["van.*"] },
  });
  policyId = await project.policy({
    subject: { type: "_Application" },
    condition: { cypher: "MATCH (subject:_Application)-[:RUNS]->(g:Garage)-[:HAS]->(car:Car)" },
    allowed_reads: { nodes: ["car", "car.*", "car.property.*"] },
    allowed_upserts: { nodes: { existing_nodes: ["car"] } },
  });
  // A database that was started a moment ago may plan its first statement for seconds.
  while ((await ask({ nodes: ["car.property.price"] })).status === 503) await pause(200);
});
afterAll(async () => {
  await ciq.end();
  await garage.drop();
  await project.remove();
  await upstream.close();
  await redis.quit();
  await graph.close();
});
beforeEach(() => upstream.forget());

let number = 0;
const ask = async (query: Json, params: Json = {}, more: Json = {}, process = ciq): Promise<Answer> => {
  const name = `query-${++number}`;
  await project.query(name, policyId, query);
  return await asked(name, params, more, process);
};
/** Waits until the process has heard of what was stored. */
const asked = async (name: string, params: Json, more: Json, process: CiqProcess): Promise<Answer> => {
  const change = { kind: "knowledge_query", id: newGid("knowledge_query"), action: "created" };
  const where = { organization_id: project.organizationId, project_id: project.id };
  await redis.publish(changesChannel, JSON.stringify({ ...change, ...where }));
  for (let left = 40; ; left--) {
    const answer = await process.execute(project, { id: name, input_params: params, ...more });
    if (answer.status !== 404 || left === 0) return answer;
    await pause(50);
  }
};
const car = (id: string) => ({ attribute: "car.external_id", operator: "=", value: id });
const nodes = async (id: string, paths: string[], params: Json = {}): Promise<Json> => {
  const { status, body } = await ask({ nodes: paths, filter: car(id) }, params);
  expect([status, Object.keys(body)]).toEqual([200, ["data"]]);
  return (body["data"] as readonly { nodes: Json }[])[0]?.nodes ?? {};
};

describe("an external value", () => {
  it("stands under its path, with the stored metadata beside it", async () => {
    expect(
      await nodes("car2", ["car.external_id", "car.property.price", "car.property.price.metadata.source"]),
    ).toEqual({
      "car.external_id": "car2",
      "car.property.price": 18400,
      "car.property.price.metadata.source": "pricing-api",
    });
  });

  it("may be any JSON, also null", async () => {
    const paths = ["nothing", "list", "meta", "chunks", "problem"].map((name) => `car.property.${name}`);
    expect(await nodes("car2", paths)).toEqual({
      "car.property.nothing": null,
      "car.property.list": [1, { a: "x" }],
      "car.property.meta": { p: 1.5 },
      "car.property.chunks": "ü",
      "car.property.problem": 2,
    });
    expect(String((await nodes("car2", ["car.property.nearly"]))["car.property.nearly"])).toHaveLength(
      1024 * 1024 - 20,
    );
  });

  it("is found by the name of its resolver and by its gid", async () => {
    expect(await nodes("named", ["car.property.price.value"])).toEqual({ "car.property.price.value": 18400 });
    expect(upstream.seen).toHaveLength(1);
  });

  it("comes through wildcards", async () => {
    const all = { "car.property.name": "One", "car.property.price": 18400 };
    expect(await nodes("car1", ["car.*"])).toMatchObject({
      ...all,
      "car.external_id": "car1",
      "car.type": "Car",
    });
    expect(await nodes("car1", ["car.property.*"])).toEqual(all);
    expect(await nodes("car2", ["car.property.price.*"])).toEqual({
      "car.property.price": 18400,
      "car.property.price.metadata.source": "pricing-api",
    });
    expect(upstream.seen).toHaveLength(3);
  });

  it("is not asked for by a whole node, metadata, other properties or a filter", async () => {
    const { Props } = (await nodes("car2", ["car"]))["car"] as { Props: Json };
    expect(Object.keys(Props)).not.toContain("price");
    await nodes("car2", [
      "car.property.price.metadata.source",
      "car.property.price.metadata.*",
      "car.property.name",
    ]);
    const filtered = await ask({
      nodes: ["car.external_id"],
      filter: { attribute: "car.property.price", operator: ">", value: 0 },
    });
    expect(filtered.body).toEqual({ data: [] });
    expect(upstream.seen).toEqual([]);
  });

  it("is asked for as its resolver says, and with nothing else of the caller's", async () => {
    const params = { a: "../x y", n: 5, two: "t", _externalId: "mine", _appId: "mine", token: "mine" };
    const { "car.property.echo": sent } = await nodes("car2", ["car.property.echo"], params);
    const app = encodeURIComponent(ciq.application);
    expect(sent).toMatchObject({
      method: "POST",
      url: `/echo/..%2Fx%20y/car2/Car/echo?q=none&app=${app}`,
      body: '{"typed":5,"text":"n is 5","{$a}":["off"]}',
      headers: {
        host: new URL(upstream.url).host,
        authorization: `Bearer ${secret}`,
        accept: "application/json",
        "content-type": "application/json",
        "accept-encoding": "identity",
      },
    });
    const { rawHeaders, headers } = sent as { rawHeaders: string[]; headers: Json };
    expect(rawHeaders.filter((_, index) => rawHeaders[index - 1] === "X-Two")).toEqual(["one", "t"]);
    expect(Object.keys(headers).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "x-two",
    ]);
    expect(await nodes("car2", ["car.property.plain"])).toEqual({ "car.property.plain": "" });
  });
});

describe("a resolver that names properties of the node", () => {
  const sent = {
    url: "/echo/%C3%96st%2FV%C3%A4st%20%3F%23/placed/Car?z=7&n=3",
    body: '{"lat":59.33,"text":"at \u00d6st/V\u00e4st ?#","tags":["a","b"]}',
    headers: { "x-code": "P 1" },
  };

  it("is told them, whichever path asks for the value and whether it shows them", async () => {
    for (const path of ["car.property.weather", "car.property.weather.value", "car.*", "car.property.*"]) {
      const shown = await nodes("placed", [path], { n: 3 });
      expect(shown["car.property.weather"] ?? shown["car.property.weather.value"]).toMatchObject(sent);
    }
    expect(JSON.stringify(upstream.seen)).not.toContain("not for everybody");
  });

  it("is told what a query has written a moment before, in steps and in one statement", async () => {
    const name = `query-${++number}`;
    await project.query(name, policyId, {
      upsert_nodes: [{ name: "car", properties: [{ type: "code", value: "$code" }] }],
      nodes: ["car.property.weather"],
      filter: car("placed"),
    });
    for (const code of ["W 1", "W 2", "P 1"]) {
      const { body } = await asked(name, { code, n: 3 }, {}, ciq);
      expect(body).toMatchObject({
        data: [{ nodes: { "car.property.weather": { ...sent, headers: { "x-code": code } } } }],
      });
    }
  });

  it("is not called without one of them, or with one that does not fit its place", async () => {
    for (const id of ["unplaced", "lost"]) {
      const { status, body } = await ask({ nodes: ["car.property.weather"], filter: car(id) });
      expect([status, body]).toEqual([
        200,
        {
          data: [{ nodes: { "car.property.weather": null } }],
          errors: [{ row: 0, path: "car.property.weather", resolver: "weather", reason: "missing_param" }],
        },
      ]);
    }
    expect(upstream.seen).toEqual([]);
  });
});

describe("what cannot be had", () => {
  it("is null, with the reason and nothing else of it, and the request goes on", async () => {
    const paths = Object.keys(failing).map((name) => `car.property.${name}`);
    const { status, body } = await ask({ nodes: ["car.external_id", ...paths], filter: car("bad") });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { nodes: { "car.external_id": "bad", ...Object.fromEntries(paths.map((path) => [path, null])) } },
      ],
      errors: Object.entries(failing).map(([name, reason]) => {
        return { row: 0, path: `car.property.${name}`, resolver: name, reason };
      }),
    });
    // The redirect was not followed, and nothing was tried again.
    expect(upstream.seen.map(({ url }) => url).toSorted()).toEqual(
      Object.keys(failing)
        .map((name) => `/${name}`)
        .toSorted(),
    );
  });

  it("is told row by row", async () => {
    const names = ["price", "absent", "no_match", "param", "type"];
    const { status, body } = await ask({
      nodes: names.map((name) => `car.property.${name}`),
      filter: { attribute: "car.external_id", operator: "IN", value: ["car1", "car2"] },
    });
    expect(status).toBe(200);
    const none = { "car.property.absent": null, "car.property.no_match": null, "car.property.param": null };
    expect(body["data"]).toEqual([
      { nodes: { "car.property.price": 18400, "car.property.type": null, ...none } },
      { nodes: { "car.property.price": 18400, "car.property.type": null, ...none } },
    ]);
    expect(body["errors"]).toEqual([
      { row: 1, path: "car.property.absent", resolver: "absent", reason: "resolver_not_found" },
      { row: 1, path: "car.property.no_match", resolver: "no-match", reason: "selector_no_match" },
      { row: 1, path: "car.property.param", resolver: "param", reason: "missing_param" },
      { row: 1, path: "car.property.type", resolver: "no-match", reason: "selector_no_match" },
    ]);
  });

  it("is logged by resolver and reason alone", async () => {
    await pause(100);
    const lines = ciq
      .output()
      .split("\n")
      .filter((line) => line.includes("external value"))
      .map((line) => JSON.parse(line) as Json);
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      expect(Object.keys(line).filter((name) => name !== "resolver")).toEqual([
        "time",
        "level",
        "service",
        "msg",
        "reason",
      ]);
    }
    const output = ciq.output();
    for (const hidden of [secret, upstream.url, new URL(upstream.url).host, "18400", "never sent"])
      expect(output).not.toContain(hidden);
  });
});

describe("a query that writes", () => {
  it("stores a reference without a call, and shows its value", async () => {
    const upsert = {
      upsert_nodes: [
        {
          name: "car",
          properties: [{ type: "fresh", external_value: "$r", metadata: [{ type: "source", value: "s" }] }],
        },
      ],
      filter: car("car1"),
    };
    const silent = await ask({ ...upsert, nodes: ["car.external_id"] }, { r: "price" });
    expect([silent.status, upstream.seen]).toEqual([200, []]);
    const { body } = await ask(
      { ...upsert, nodes: ["car.property.fresh", "car.property.fresh.metadata.source"] },
      { r: gid },
    );
    expect(body).toEqual({
      data: [{ nodes: { "car.property.fresh": 18400, "car.property.fresh.metadata.source": "s" } }],
    });
    expect(upstream.seen).toHaveLength(1);
    expect((await garage.node("Car/car1"))?.fields["fresh.external_value"]).toBe(gid);
  });

  it("stays written when the resolver fails", async () => {
    const { status, body } = await ask({
      upsert_nodes: [{ name: "car", properties: [{ type: "fresh", external_value: "nobody" }] }],
      nodes: ["car.property.fresh"],
      filter: car("car1"),
    });
    expect([status, body]).toEqual([
      200,
      {
        data: [{ nodes: { "car.property.fresh": null } }],
        errors: [{ row: 0, path: "car.property.fresh", resolver: "nobody", reason: "resolver_not_found" }],
      },
    ]);
    expect((await garage.node("Car/car1"))?.fields["fresh.external_value"]).toBe("nobody");
  });
});

describe("a page of many rows", () => {
  const page = async (path: string, more: Json): Promise<Answer> => {
    const name = `vans-${++number}`;
    await project.query(name, vans, { nodes: [`van.property.${path}`] });
    return await asked(name, {}, more, ciq);
  };

  it("makes equal calls once", async () => {
    const { body } = await page("same", {});
    expect(body["data"]).toHaveLength(100);
    expect(body["errors"]).toBeUndefined();
    expect(upstream.seen).toHaveLength(1);
  });

  it("calls for the rows of the page alone", async () => {
    const { body } = await page("own", { page_size: 3, page_token: 6 });
    expect(body).toEqual({
      data: ["v006", "v007", "v008"].map((id) => ({ nodes: { "van.property.own": `/own/${id}` } })),
    });
    expect(upstream.seen.map(({ url }) => url).toSorted()).toEqual(["/own/v006", "/own/v007", "/own/v008"]);
  });

  it("makes a hundred different calls, eight at a time", async () => {
    const { status, body } = await page("wait", { page_size: cars });
    expect([status, upstream.seen.length, upstream.busiest]).toEqual([200, 100, 8]);
    expect(body["errors"]).toEqual(
      Array.from({ length: cars - 100 }, (_, index) => {
        return { row: 100 + index, path: "van.property.wait", resolver: "wait", reason: "limit_exceeded" };
      }),
    );
  });

  it("stops calling when the caller leaves", async () => {
    upstream.waitMs = 800;
    try {
      const leaving = new AbortController();
      const name = `vans-${++number}`;
      await project.query(name, vans, { nodes: ["van.property.wait"] });
      // Known to the process from now on; nothing matches it.
      await asked(name, {}, { page_token: 1_000_000 }, ciq);
      const call = ciq.execute(project, { id: name, page_size: 40 }, { signal: leaving.signal });
      while (upstream.seen.length < 8) await pause(10);
      leaving.abort();
      await expect(call).rejects.toThrow();
      await pause(1_500);
      expect([upstream.seen.length, upstream.left]).toEqual([8, 8]);
    } finally {
      upstream.waitMs = 50;
    }
  });
});

/** Another process, whose application is let into the project as well. */
const another = async (variables: Readonly<Record<string, string>>): Promise<CiqProcess> => {
  const process = await startCiqProcess({ CONFIG_ENCRYPTION_KEY: key.toString("base64"), ...variables });
  const own = `_Application/${process.application}`;
  await openProject(graph, { nodes: { [own]: {} }, edges: [[own, "RUNS", "Garage/g1"]] }, project.pk);
  return process;
};

describe("an execution with slow resolvers", () => {
  it("spends fifteen seconds on them and answers with what is there", async () => {
    const patient = await another({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });
    upstream.waitMs = 3_500;
    try {
      const name = `vans-${++number}`;
      await project.query(name, vans, { nodes: ["van.property.wait"] });
      await asked(name, {}, { page_token: 1_000_000 }, patient);
      const began = performance.now();
      const { status, body } = await asked(name, {}, { page_size: cars }, patient);
      const seconds = (performance.now() - began) / 1000;
      expect([status, seconds > 14, seconds < 20]).toEqual([200, true, true]);
      const reasons = (body["errors"] as readonly Json[]).map(({ reason }) => reason);
      expect(reasons.filter((reason) => reason === "limit_exceeded")).toHaveLength(cars - 100);
      // Three or four times eight came back, as busy as the machine was; what had not begun by then never did.
      const late = reasons.filter((reason) => reason === "upstream_timeout").length;
      expect([late >= 100 - 4 * 8, late <= 100 - 2 * 8]).toEqual([true, true]);
      expect(upstream.seen.length).toBeLessThanOrEqual(100 - late + 8);
      const shown = (body["data"] as readonly { nodes: Json }[]).filter(
        ({ nodes: values }) => values["van.property.wait"] !== null,
      );
      expect(shown).toHaveLength(100 - late);
    } finally {
      upstream.waitMs = 50;
      await patient.end();
    }
  });
});

describe("addresses that are not opened", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["inside addresses by default", {}],
    ["http when it is switched off", { EGRESS_ALLOW_HTTP: "false", EGRESS_ALLOW_CIDRS: "127.0.0.0/8" }],
  ])("are never called: %s", async (_name, variables) => {
    const port = await freePort();
    const closed = await another({ ...variables, METRICS_PORT: String(port) });
    try {
      const { status, body } = await ask(
        { nodes: ["car.property.price"], filter: car("car1") },
        {},
        {},
        closed,
      );
      expect([status, body]).toEqual([
        200,
        {
          data: [{ nodes: { "car.property.price": null } }],
          errors: [{ row: 0, path: "car.property.price", resolver: "price", reason: "blocked_address" }],
        },
      ]);
      expect(upstream.seen).toEqual([]);
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toMatch(
        /^ikg_resolver_call_duration_seconds_count\{service="ciq",outcome="blocked_address"\} 1$/m,
      );
      expect(metrics).toMatch(/^ikg_resolver_circuits\{state="open",service="ciq"\} 0$/m);
      expect(metrics).not.toContain(gid);
    } finally {
      await closed.end();
    }
  });
});

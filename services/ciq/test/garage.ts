import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import { changesChannel, newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { externalValueField } from "@ikg/physical";
import { type KeyRing, keyRing, seal } from "@ikg/secrets";
import { Redis } from "ioredis";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type Answer, type CiqProcess, startCiqProcess } from "./ciq-process.ts";
import { type Json, openProject, openTestGraph, type Seed, type TestProject } from "./ciq-under-test.ts";
import { type StoredProject, storeProject } from "./stored-project.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

export const key = randomBytes(32);

export const secret = `hidden${randomBytes(9).toString("hex")}`;

export const cars = 120;

export let graph: Graph;

let redis: Redis;

export let upstream: Upstream;

export let ciq: CiqProcess;

export let project: StoredProject;

export let garage: TestProject;

export let vans: Awaited<ReturnType<StoredProject["policy"]>>;

export let policyId: Awaited<ReturnType<StoredProject["policy"]>>;

export let gid: string;

/** Resolvers by the first step of their path. */
export const resolver = (path: string, more: Json = {}): Json => ({
  url: `${upstream.url}/${path}`,
  method: "GET",
  request_content_type: "JSON",
  response_content_type: "JSON",
  response_selector: ".current",
  ...more,
});

export const failing = {
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

let queries = 0;

/** A name that no other query has. */
export const queryName = (): string => `query-${++queries}`;

export const ask = async (
  query: Json,
  params: Json = {},
  more: Json = {},
  process = ciq,
): Promise<Answer> => {
  const name = queryName();
  await project.query(name, policyId, query);
  return await executeWhenKnown(name, params, more, process);
};

/** Waits until the process knows what was stored. */
export const executeWhenKnown = async (
  name: string,
  params: Json,
  more: Json,
  process: CiqProcess,
): Promise<Answer> => {
  const change = { kind: "knowledge_query", id: newGid("knowledge_query"), action: "created" };
  const where = { organization_id: project.organizationId, project_id: project.id };
  await redis.publish(changesChannel, JSON.stringify({ ...change, ...where }));
  return eventually(
    () => process.execute(project, { id: name, input_params: params, ...more }),
    ({ status }) => status !== 404,
    { withinMs: 4_000, everyMs: 50 },
  );
};

export const car = (id: string) => ({ attribute: "car.external_id", operator: "=", value: id });

export const nodes = async (id: string, paths: string[], params: Json = {}): Promise<Json> => {
  const { status, body } = await ask({ nodes: paths, filter: car(id) }, params);
  expect([status, Object.keys(body)]).toEqual([200, ["data"]]);
  return (body["data"] as readonly { nodes: Json }[])[0]?.nodes ?? {};
};

/** Nodes of the cars: each has external values that one resolver knows. */
const carNodes = (): Seed["nodes"] => {
  const failures = Object.fromEntries(Object.keys(failing).map((name) => [externalValueField(name), name]));
  const places = { [externalValueField("weather")]: "weather" };
  return {
    "Car/car1": {
      "name.metadata.source": "dealer",
      name: "One",
      [externalValueField("price")]: "price",
    },
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
      hidden: "not for every reader",
    },
    "Car/lost": { ...places, latitude: 1, place: "x", code: "P 1\r\nX-Evil: 1", tags: [] },
    "Car/unplaced": { ...places, place: "x", code: "P 2" },
    "Car/named": { [externalValueField("price")]: "PRICE_GID" },
  };
};

/** Vans whose external values differ by the van, are the same for all, and have to be waited for. */
const vanNodes = (): Seed["nodes"] => ({
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
});

const garageSeed = (application: string): Seed => ({
  nodes: { [`_Application/${application}`]: {}, "Garage/g1": {}, ...carNodes(), ...vanNodes() },
  edges: [
    [`_Application/${application}`, "RUNS", "Garage/g1"],
    ...["car1", "car2", "bad", "named", "placed", "lost", "unplaced"].map(
      (id) => ["Garage/g1", "HAS", `Car/${id}`] as const,
    ),
    ...Array.from(
      { length: cars },
      (_, index) => ["Garage/g1", "HOLDS", `Van/v${String(index).padStart(3, "0")}`] as const,
    ),
  ],
});

/** A resolver that echoes its call, headers included. */
const storeEcho = async (keys: KeyRing): Promise<void> => {
  const echoId = newGid("external_data_resolver");
  const headers = {
    Authorization: [`Bearer ${secret}`],
    "X-Two": ["one", "{$two}"],
    Accept: ["text/plain"],
  };
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
};

/** A resolver that names properties of the node. */
const storeWeather = async (keys: KeyRing): Promise<void> => {
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
};

/** Resolvers without headers; they differ by path and selector. @returns the gid of `price` */
const storeResolvers = async (): Promise<string> => {
  await project.resolver(
    "plain",
    resolver("plain", { request_payload: '"never sent"', response_selector: ".body" }),
  );
  const price = await project.resolver("price", resolver("price"));
  await project.resolver("nothing", resolver("price", { response_selector: "$.nothing" }));
  await project.resolver("list", resolver("price", { response_selector: "$.list[*]" }));
  await project.resolver("meta", resolver("price", { response_selector: ".chart.result[0].meta" }));
  await project.resolver("no-match", resolver("price", { response_selector: ".chart.none" }));
  await project.resolver("param", resolver("price/{$missing}"));
  await project.resolver("own", resolver("own/{$_externalId}", { response_selector: ".url" }));
  await project.resolver("wait", resolver("wait/{$_externalId}", { response_selector: ".url" }));
  for (const name of ["chunks", "problem", "nearly", ...Object.keys(failing)])
    await project.resolver(name, resolver(name));
  return price;
};

const storePolicies = async (): Promise<void> => {
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
};

/** Gives the tests of a file a garage with its resolvers, the upstream that they call, and a process that calls them. */
export const useGarage = (): void => {
  beforeAll(async () => {
    graph = openTestGraph();
    await graph.prepare();
    redis = new Redis(requireVariable("REDIS_URL"));
    upstream = await startUpstream();
    project = await storeProject(graph);
    ciq = await startCiqProcess({
      CONFIG_ENCRYPTION_KEY: key.toString("base64"),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      EDR_TIMEOUT_MS: "2000",
      LOG_LEVEL: "debug",
    });
    garage = await openProject(graph, garageSeed(ciq.application), project.pk);
    const keys = keyRing(key, []);
    await storeEcho(keys);
    await storeWeather(keys);
    gid = await storeResolvers();
    await garage.run("MATCH (n {_key: $k}) SET n.`price.external_value` = $gid", {
      k: `${project.pk}/Car/named`,
      gid,
    });
    await storePolicies();
    // A database that was started a moment ago may plan its first statement for seconds.
    await eventually(
      () => ask({ nodes: ["car.property.price"] }),
      ({ status }) => status !== 503,
      { withinMs: 60_000, everyMs: 200 },
    );
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
};

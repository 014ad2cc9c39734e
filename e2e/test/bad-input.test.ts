import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Decision } from "@ikg/contracts";
import { capture, type GraphNode } from "../src/capture.ts";
import { type Census, openCensus } from "../src/census.ts";
import { withKey } from "../src/data-plane.ts";
import { evaluate, tryEvaluate } from "../src/evaluate.ts";
import { execute } from "../src/execute.ts";
import { freshName } from "../src/fresh-name.ts";
import { inParallel } from "../src/in-parallel.ts";
import { requireRefusal, requireSound } from "../src/refusal.ts";
import { savePolicy, trySavePolicy } from "../src/save-policy.ts";
import { saveQuery } from "../src/save-query.ts";
import { trySearchResource } from "../src/search-resource.ts";
import type { Answer } from "../src/send.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";
import { hostileTexts, noNames } from "./hostile-texts.ts";

const node = (external_id: string, ...properties: NonNullable<GraphNode["properties"]>): GraphNode => ({
  type: "Thing",
  external_id,
  properties,
});

const nodesPath = "/capture/v1/nodes";
const edgesPath = "/capture/v1/relationships";
const evaluationPath = "/access/v1/evaluation";
const searchPath = "/access/v1/search/resource";
const executePath = "/ciq/v1/execute";

const thing = { type: "Thing", external_id: "t1" };
const person = { type: "Person", external_id: "p1" };
const question = {
  subject: { type: "Person", id: "p1" },
  action: { name: "OPEN" },
  resource: { type: "Thing", id: "t1" },
  context: { input_params: { guess: "wrong" } },
};
const { id: _id, ...anyThing } = question.resource;
const searching = { ...question, resource: anyThing };
const edge = { source: person, target: thing, type: "OWNS" };

/** A good body of each endpoint that takes one. */
const goodBodies: Readonly<Record<string, object>> = {
  [nodesPath]: { nodes: [node("t1")] },
  [edgesPath]: { relationships: [edge] },
  [evaluationPath]: question,
  [searchPath]: searching,
  [executePath]: { id: "by-guess", input_params: { guess: "wrong" } },
};

/** Everything that is refused here is asked of this project, which must stay as it is. */
let tenant: Tenant;
/** What happens to be accepted goes here. */
let playground: Tenant;
let takeCensus: () => Promise<Census>;
let before: Census;

const prepare = async (stem: string): Promise<Tenant> => {
  const made = await createTenant(stem);
  await capture(
    {
      nodes: [node("t1", { type: "code", value: "sesame" }), { ...person, is_identity: true }],
      relationships: [edge],
    },
    made,
  );
  await savePolicy(made.projectId, {
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Person" },
      actions: ["OPEN"],
      resource: { type: "Thing" },
      condition: { cypher: "MATCH (subject:Person), (resource:Thing) WHERE resource.property.code = $guess" },
    },
  });
  const policyId = await savePolicy(made.projectId, {
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (thing:Thing {code: $guess})" },
      allowed_reads: { nodes: ["thing.*"] },
    },
  });
  await saveQuery(made.projectId, { name: "by-guess", policyId, query: { nodes: ["thing.*"] } });
  return made;
};

beforeAll(async () => {
  [tenant, playground] = await Promise.all([prepare("bad-input"), prepare("playground")]);
  takeCensus = await openCensus(tenant);
  before = await takeCensus();
}, 60_000);
afterAll(async () => {
  await tenant?.remove();
  await playground?.remove();
});

const post = (path: string, json: unknown, by = tenant): Promise<Answer> => withKey(path, by, { json });
const postRaw = (path: string, raw: string | Uint8Array<ArrayBuffer>, by = tenant): Promise<Answer> =>
  withKey(path, by, { raw });

/** Nothing of what was refused has left a trace. */
const requireUnchanged = async (): Promise<void> => expect(await takeCensus()).toEqual(before);

describe("bodies that are no JSON object", () => {
  const nested = (levels: number): string => `{"a":`.repeat(levels) + "1" + "}".repeat(levels);
  const bodies: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
    empty: "",
    blank: "  \n",
    "a list": "[]",
    null: "null",
    "a number": "1",
    "a text": '"x"',
    true: "true",
    unfinished: '{"nodes":[',
    "with a second value": "{} {}",
    "with a trailing comma": '{"a":1,}',
    "with single quotes": "{'a':1}",
    "with a comment": '{"a":1/*x*/}',
    NaN: '{"a":NaN}',
    "with a raw NUL": '{"a":"\0"}',
    "with a raw line break in a text": '{"a":"\n"}',
    "with bytes that are no UTF-8": new Uint8Array([
      0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d,
    ]),
    "in UTF-16": new Uint8Array(Buffer.from('{"a":1}', "utf16le")),
    "with a surrogate as UTF-8": new Uint8Array([
      0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d,
    ]),
    "nested 33 levels": nested(33),
    "nested 100,000 levels": nested(100_000),
    "100,000 open lists": "[".repeat(100_000),
    "a form": "nodes=1&x=2",
    "some XML": '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  };
  it.each(Object.keys(bodies))("%s is 400 everywhere", async (name) => {
    await inParallel(Object.keys(goodBodies), async (path) => {
      requireRefusal(await postRaw(path, bodies[name] ?? ""), 400);
    });
  });

  it("writes nothing", requireUnchanged);
});

describe("capture", () => {
  const list = <T>(length: number, item: (at: number) => T): T[] =>
    Array.from({ length }, (_, at) => item(at));
  const withProperty = (property: unknown) => ({ nodes: [{ ...thing, properties: [property] }] });
  const withValue = (value: unknown) => withProperty({ type: "code", value });
  const withMetadata = (metadata: unknown) => withProperty({ type: "code", value: 1, metadata });
  const withEdge = (changes: object) => ({ relationships: [{ ...edge, ...changes }] });
  const withEdgeProperty = (property: unknown) => withEdge({ properties: [property] });

  /** What is wrong, the body, and how the first detail begins. */
  const badNodes: readonly (readonly [string, unknown, RegExp])[] = [
    ["no nodes", {}, /^nodes: /],
    ["nodes null", { nodes: null }, /^nodes: /],
    ["nodes no list", { nodes: { 0: thing } }, /^nodes: /],
    ["no node", { nodes: [] }, /^nodes: /],
    ["251 nodes", { nodes: list(251, (at) => node(`n${at}`)) }, /^nodes: /],
    ["100,000 nodes", { nodes: list(100_000, () => ({})) }, /^nodes: /],
    ["a node that is null", { nodes: [null] }, /^nodes\[0\]/],
    ["a node that is a list", { nodes: [[]] }, /^nodes\[0\]/],
    ["no external_id", { nodes: [{ type: "Thing" }] }, /^nodes\[0\]\.external_id: /],
    ["an empty external_id", { nodes: [node("")] }, /^nodes\[0\]\.external_id: /],
    ["an external_id of 257 characters", { nodes: [node("x".repeat(257))] }, /^nodes\[0\]\.external_id: /],
    [
      "an external_id that is a number",
      { nodes: [{ ...thing, external_id: 1 }] },
      /^nodes\[0\]\.external_id: /,
    ],
    ["an external_id with half a surrogate pair", { nodes: [node("\ud800")] }, /^nodes\[0\]\.external_id: /],
    ["no type", { nodes: [{ external_id: "x" }] }, /^nodes\[0\]\.type: /],
    ["a type of one character", { nodes: [{ ...thing, type: "T" }] }, /^nodes\[0\]\.type: /],
    ["a type of 65 characters", { nodes: [{ ...thing, type: "T".repeat(65) }] }, /^nodes\[0\]\.type: /],
    [
      "a type with a back-quote",
      { nodes: [{ ...thing, type: "T`) DETACH DELETE (n) //" }] },
      /^nodes\[0\]\.type: /,
    ],
    ["a type with an escape", { nodes: [{ ...thing, type: "T\\u0060x" }] }, /^nodes\[0\]\.type: /],
    ["a type with a dot", { nodes: [{ ...thing, type: "A.B" }] }, /^nodes\[0\]\.type: /],
    ["a type that is a list", { nodes: [{ ...thing, type: ["Thing"] }] }, /^nodes\[0\]\.type: /],
    ["a label with a colon", { nodes: [{ ...thing, labels: ["A:B"] }] }, /^nodes\[0\]\.labels\[0\]: /],
    ["33 labels", { nodes: [{ ...thing, labels: list(33, (at) => `Label${at}`) }] }, /^nodes\[0\]\.labels: /],
    ["is_identity as text", { nodes: [{ ...thing, is_identity: "true" }] }, /^nodes\[0\]\.is_identity: /],
    ["properties as an object", { nodes: [{ ...thing, properties: { a: 1 } }] }, /^nodes\[0\]\.properties: /],
    [
      "1,001 properties",
      { nodes: [node("x", ...list(1_001, (at) => ({ type: `p${at}`, value: 1 })))] },
      /properties: /,
    ],
    [
      "a property twice",
      { nodes: [node("x", { type: "a", value: 1 }, { type: "a", value: 2 })] },
      /properties\[1\]/,
    ],
    ["a property without a name", withProperty({ value: 1 }), /properties\[0\]\.type: /],
    [
      "a property of 129 characters",
      withProperty({ type: "x".repeat(129), value: 1 }),
      /properties\[0\]\.type: /,
    ],
    ["neither value nor external_value", withProperty({ type: "a" }), /properties\[0\]/],
    ["both of them", withProperty({ type: "a", value: 1, external_value: "r" }), /properties\[0\]/],
    ["a value null", withValue(null), /properties\[0\]/],
    ["a value that is an object", withValue({ a: 1 }), /properties\[0\]/],
    ["a value that is a list in a list", withValue([[1]]), /properties\[0\]/],
    ["a list of two kinds", withValue([1, "a"]), /properties\[0\]/],
    ["a list with null", withValue([null]), /properties\[0\]/],
    ["a list of 1,001 entries", withValue(list(1_001, (at) => at)), /properties\[0\]/],
    ["a text of 65,537 characters", withValue("x".repeat(65_537)), /properties\[0\]/],
    ["a text of 1 MB", withValue("x".repeat(1_000_000)), /properties\[0\]/],
    ["a list of texts that are too long", withValue(["x".repeat(65_537)]), /properties\[0\]/],
    ["half a surrogate pair as value", withValue("a\udc00"), /properties\[0\]/],
    ["assurance_level 4", withMetadata({ assurance_level: 4 }), /metadata\.assurance_level: /],
    [
      "a verified_time that is none",
      withMetadata({ verified_time: "2026-02-30T00:00:00Z" }),
      /metadata\.verified_time: /,
    ],
    [
      "a verified_time without an offset",
      withMetadata({ verified_time: "2026-01-01T00:00:00" }),
      /verified_time: /,
    ],
    ["a source that is too long", withMetadata({ source: "x".repeat(1_025) }), /metadata\.source: /],
    ["custom metadata that holds an object", withMetadata({ custom_metadata: { a: {} } }), /custom_metadata/],
    [
      "custom metadata named as one of ours",
      withMetadata({ custom_metadata: { source: "a" } }),
      /custom_metadata/,
    ],
    ["custom metadata with a dot", withMetadata({ custom_metadata: { "a.b": 1 } }), /custom_metadata/],
    ["metadata as text", withMetadata("x"), /metadata: /],
  ];
  it.each(badNodes)("nodes: %s is 400", async (_name, json, detail) => {
    expect(requireRefusal(await post(nodesPath, json), 400)[0]).toMatch(detail);
  });

  const badEdges: readonly (readonly [string, unknown, RegExp])[] = [
    ["none", { relationships: [] }, /^relationships: /],
    ["251", { relationships: list(251, () => edge) }, /^relationships: /],
    ["no source", withEdge({ source: null }), /^relationships\[0\]\.source: /],
    ["a target that is text", withEdge({ target: "Thing:t1" }), /^relationships\[0\]\.target: /],
    ["a type in lower case", withEdge({ type: "owns" }), /^relationships\[0\]\.type: /],
    ["a type with a back-quote", withEdge({ type: "A`]-() DELETE r //" }), /^relationships\[0\]\.type: /],
    ["a type of 129 characters", withEdge({ type: "X".repeat(129) }), /^relationships\[0\]\.type: /],
    ["metadata", withEdgeProperty({ type: "a", value: 1, metadata: {} }), /properties\[0\]\.metadata: /],
    ["an external value", withEdgeProperty({ type: "a", external_value: "r" }), /properties\[0\]/],
    ["a property with a quote", withEdgeProperty({ type: "a'b", value: 1 }), /properties\[0\]\.type: /],
    ["a property with an object", withEdgeProperty({ type: "a", value: {} }), /properties\[0\]\.value: /],
    ["use_global_db as text", { relationships: [edge], use_global_db: "yes" }, /^use_global_db: /],
  ];
  it.each(badEdges)("relationships: %s is 400", async (_name, json, detail) => {
    expect(requireRefusal(await post(edgesPath, json), 400)[0]).toMatch(detail);
  });

  it.each(["9007199254740992", "-9007199254740993", "1e400", "-1e999", "123456789012345678901234567890"])(
    "the number %s is 400",
    async (number) => {
      const raw = `{"nodes":[{"external_id":"t1","type":"Thing","properties":[{"type":"code","value":${number}}]}]}`;
      requireRefusal(await postRaw(nodesPath, raw), 400);
    },
  );

  it("property names that are no names are 400", async () => {
    await inParallel(
      ["", " ", "a b", "a-b", "a.b", "1a", "ä", "a\0", "a\\u0027", ...noNames],
      async (type) => {
        requireRefusal(await post(nodesPath, withProperty({ type, value: 1 })), 400);
        requireRefusal(await post(edgesPath, withEdgeProperty({ type, value: 1 })), 400);
      },
    );
  });

  const semantic: readonly (readonly [string, string, unknown, RegExp])[] = [
    ["a system type", nodesPath, { nodes: [{ ...thing, type: "_Application" }] }, /^nodes\[0\]\.type: /],
    ["a system label", nodesPath, { nodes: [{ ...thing, labels: ["_Node"] }] }, /^nodes\[0\]\.labels/],
    ["a location", nodesPath, { nodes: [{ ...thing, location: "mars" }] }, /^nodes\[0\]\.location: /],
    ["a system relationship", edgesPath, withEdge({ type: "_HAS" }), /^relationships\[0\]\.type: /],
    [
      "a missing source",
      edgesPath,
      withEdge({ source: { ...person, external_id: "x" } }),
      /^relationships\[0\]\.source/,
    ],
    [
      "a missing target",
      edgesPath,
      withEdge({ target: { ...thing, type: "Other" } }),
      /^relationships\[0\]\.target/,
    ],
    ["the global database", edgesPath, { relationships: [edge], use_global_db: true }, /^use_global_db: /],
  ];
  it.each(semantic)("%s is 422", async (_name, path, json, detail) => {
    expect(requireRefusal(await post(path, json), 422)[0]).toMatch(detail);
  });

  it("one bad item of 250 leaves all 250 out, and every bad one is named", async () => {
    const nodes: unknown[] = list(250, (at) => node(`n${at}`, { type: "code", value: at }));
    nodes[3] = node("");
    nodes[249] = { ...node("y"), type: "!" };
    const errors = requireRefusal(await post(nodesPath, { nodes }), 400);
    expect(errors.map((error) => error.replace(/:.*/s, ""))).toEqual([
      "nodes[3].external_id",
      "nodes[249].type",
    ]);
    const relationships = [
      edge,
      { ...edge, type: "ALSO" },
      { ...edge, target: { ...thing, external_id: "gone" } },
    ];
    expect(requireRefusal(await post(edgesPath, { relationships }), 422)).toEqual([
      expect.stringMatching(/^relationships\[2\]\.target/),
      expect.stringMatching(/^on_missing: "skip" /),
    ]);
  });

  it("at most 50 details leave", async () => {
    expect(requireRefusal(await post(nodesPath, { nodes: list(250, () => ({})) }), 400)).toHaveLength(50);
  });

  it("writes nothing of all this", requireUnchanged);
});

describe("names and values that are unusual and allowed", () => {
  const names = [
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "id",
    "type",
    "external_id",
  ].concat(["_key", "_P", "_", "create_time", "is_identity", "metadata", "value", "property", "labels"]);
  const policyFor = (node: string) => ({
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "_Application" },
    condition: { cypher: `MATCH (subject:_Application) MATCH (x:${node})` },
    allowed_reads: { nodes: ["x.*"] },
  });

  it("properties keep names of objects and of fields of ours apart from those", async () => {
    const properties = names.map((type, at) => ({
      type,
      value: `value ${at}`,
      metadata: {
        source: `source ${at}`,
        custom_metadata: JSON.parse(`{"__proto__":"proto ${at}","constructor":${at}}`),
      },
    }));
    await capture({ nodes: [{ type: "Odd", external_id: "o1", properties }], relationships: [] }, playground);
    const policyId = await savePolicy(playground.projectId, { policy: policyFor("Odd") });
    const metadata = (name: string) =>
      ["source", "__proto__", "constructor"].map((key) => `x.property.${name}.metadata.${key}`);
    const paths = [...names.map((name) => `x.property.${name}`), ...names.flatMap(metadata)];
    const id = await saveQuery(playground.projectId, {
      policyId,
      query: { nodes: [...paths, "x.external_id", "x.type"] },
    });
    const [row, ...more] = await execute({ id }, playground);
    expect(more).toEqual([]);
    const wanted = names.flatMap((name, at) => [
      [`x.property.${name}`, `value ${at}`],
      [`x.property.${name}.metadata.source`, `source ${at}`],
      [`x.property.${name}.metadata.__proto__`, `proto ${at}`],
      [`x.property.${name}.metadata.constructor`, at],
    ]);
    expect(row?.nodes).toEqual(Object.fromEntries([...wanted, ["x.external_id", "o1"], ["x.type", "Odd"]]));
  });

  it("values come back exactly as they were sent", async () => {
    const values = [
      ...hostileTexts,
      "",
      "x".repeat(65_536),
      "😀".repeat(1_000),
      "a\u0000b",
      "\ufeff\u200f\u2028",
      "NFC é, NFD e\u0301",
      30,
      30.5,
      0,
      -0.1,
      1e-300,
      9_007_199_254_740_991,
      true,
      false,
      [],
      [1, 2.5],
      ["30", ""],
      [true, false],
    ];
    const nodes = values.map((value, at) => ({
      type: "Kept",
      external_id: `k${at}`,
      properties: [{ type: "v", value }],
    }));
    await capture({ nodes, relationships: [] }, playground);
    const policyId = await savePolicy(playground.projectId, { policy: policyFor("Kept") });
    const id = await saveQuery(playground.projectId, {
      policyId,
      query: { nodes: ["x.external_id", "x.property.v"] },
    });
    const rows = await execute({ id, page_size: 1_000 }, playground);
    const found = new Map(rows.map(({ nodes }) => [nodes["x.external_id"], nodes["x.property.v"]]));
    expect(found).toEqual(new Map(values.map((value, at) => [`k${at}`, value])));
  });

  it("an external_id may hold anything, and is found by exactly that", async () => {
    const ids = [...hostileTexts, "a/b", "Thing/t1", " ", "x".repeat(256), "\u0000", "__proto__"];
    await capture(
      { nodes: ids.map((id) => node(id, { type: "code", value: "odd" })), relationships: [] },
      playground,
    );
    await inParallel(ids, async (id) => {
      const asked = (text: string, guess: string) => ({
        ...question,
        resource: { type: "Thing", id: text },
        context: { input_params: { guess } },
      });
      expect(await evaluate(asked(id, "odd"), playground)).toEqual({ decision: true });
      expect(await evaluate(asked(id, "other"), playground)).toEqual({ decision: false });
      expect(await evaluate(asked(`${id.slice(0, 250)}other`, "odd"), playground)).toEqual({
        decision: false,
      });
    });
  });

  it("a member named twice counts once, as everywhere in JSON", async () => {
    const raw = `{"subject":1,${JSON.stringify(question).slice(1)}`;
    expect(await postRaw(evaluationPath, raw)).toMatchObject({ status: 200, body: { decision: false } });
  });

  it("__proto__ and constructor in a body change nothing", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const raw = `{"${name}":{"decision":true,"subject":{"type":"x"}},${JSON.stringify(question).slice(1)}`;
      expect(await postRaw(evaluationPath, raw)).toMatchObject({ status: 200, body: { decision: false } });
      const instead = `{"${name}":${JSON.stringify(question)}}`;
      requireRefusal(await postRaw(evaluationPath, instead), 400);
    }
    expect((await evaluate(question, tenant)).decision).toBe(false);
  });
});

describe("decisions and searches", () => {
  const without = (key: string): object =>
    Object.fromEntries(Object.entries(question).filter(([name]) => name !== key));
  const bad: readonly (readonly [string, object, RegExp])[] = [
    ["no subject", without("subject"), /^subject: /],
    ["no action", without("action"), /^action: /],
    ["no resource", without("resource"), /^resource: /],
    ["subject null", { ...question, subject: null }, /^subject: /],
    ["subject as text", { ...question, subject: "Person:p1" }, /^subject: /],
    ["subject as list", { ...question, subject: [question.subject] }, /^subject/],
    ["no subject type", { ...question, subject: { id: "p1" } }, /^subject\.type: /],
    ["no subject id", { ...question, subject: { type: "Person" } }, /^subject\.id: /],
    ["an empty subject id", { ...question, subject: { type: "Person", id: "" } }, /^subject\.id: /],
    ["a subject id that is a number", { ...question, subject: { type: "Person", id: 1 } }, /^subject\.id: /],
    [
      "a subject id of 257 characters",
      { ...question, subject: { type: "Person", id: "x".repeat(257) } },
      /^subject\.id: /,
    ],
    ["an empty subject type", { ...question, subject: { type: "", id: "p1" } }, /^subject\.type: /],
    [
      "a subject type of 65 characters",
      { ...question, subject: { type: "T".repeat(65), id: "p" } },
      /^subject\.type: /,
    ],
    ["no action name", { ...question, action: {} }, /^action\.name: /],
    ["an action name that is a number", { ...question, action: { name: 1 } }, /^action\.name: /],
    ["an action name of 1 MB", { ...question, action: { name: "x".repeat(1_000_000) } }, /^action\.name: /],
    ["context as list", { ...question, context: [] }, /^context: /],
    ["input_params as list", { ...question, context: { input_params: [] } }, /^context\.input_params: /],
    ["input_params as text", { ...question, context: { input_params: "guess" } }, /^context\.input_params: /],
    ["policy_tags as text", { ...question, context: { policy_tags: "x" } }, /^context\.policy_tags: /],
    [
      "policy_tags of numbers",
      { ...question, context: { policy_tags: [1] } },
      /^context\.policy_tags\[0\]: /,
    ],
    [
      "properties as text",
      { ...question, subject: { ...question.subject, properties: "x" } },
      /^subject\.properties: /,
    ],
  ];
  it.each(bad)("%s is 400", async (_name, json, detail) => {
    expect(requireRefusal(await post(evaluationPath, json), 400)[0]).toMatch(detail);
    expect(requireRefusal(await post(searchPath, json), 400)[0]).toMatch(detail);
  });

  it("no resource id is 400 for an evaluation, and ignored by a search", async () => {
    expect(requireRefusal(await post(evaluationPath, searching), 400)).toEqual([
      expect.stringMatching(/^resource\.id: /),
    ]);
    for (const id of ["t1", "other", 5, null, {}])
      expect(await post(searchPath, { ...searching, resource: { type: "Thing", id } })).toMatchObject({
        status: 200,
        body: { results: [] },
      });
  });

  it.each([
    { limit: -1 },
    { limit: 1.5 },
    { limit: "10" },
    { limit: {} },
    { token: 5 },
    { token: "x" },
    { token: "e30.e30" },
    { token: "x".repeat(5_000) },
    { properties: [] },
  ])("page %j is 400", async (page) => {
    expect(requireRefusal(await post(searchPath, { ...searching, page }), 400)[0]).toMatch(/^page/);
  });

  it("unknown members are ignored at every level", async () => {
    const extra = { extra: { deep: [1, { x: null }] }, $where: "1" };
    const asked = {
      ...extra,
      subject: { ...question.subject, ...extra },
      action: { ...question.action, ...extra },
      resource: { ...question.resource, ...extra },
      context: { ...extra, input_params: { guess: "sesame", ...extra } },
      page: {},
    };
    expect(await evaluate(asked, tenant)).toEqual({ decision: true });
  });

  it("a parameter that is missing or null is 422 and named", async () => {
    for (const input_params of [undefined, {}, { Guess: "sesame" }, { $guess: "sesame" }, { guess: null }])
      for (const path of [evaluationPath, searchPath])
        expect(requireRefusal(await post(path, { ...question, context: { input_params } }), 422)).toEqual([
          "missing or wrong input params, 'guess'",
        ]);
  });

  it("values of other kinds are never equal to the right one", async () => {
    const guesses = [
      ["sesame"],
      { a: "sesame" },
      true,
      1,
      1e300,
      "Sesame",
      "sesame ",
      "sesame\u0000",
      "*",
      ".*",
      "%",
    ];
    await inParallel([...guesses, ...hostileTexts], async (guess) => {
      const answer = await tryEvaluate({ ...question, context: { input_params: { guess } } }, tenant);
      requireSound(answer);
      expect((answer.body as Decision).decision).not.toBe(true);
    });
  });

  /** Conditions that the database cannot carry out with every value; the caller alone chooses the value. */
  const fragile: readonly (readonly [string, unknown])[] = [
    ["size($x) = 3", 5],
    ["size($x) = 3", { a: 1 }],
    ["substring(resource.property.code, $x) = 'a'", -1],
    ["left(resource.property.code, $x) = 'a'", "a"],
    ["toLower($x) = 'a'", 5],
    ["toInteger($x) = 1", [1]],
    ["date($x) IS NOT NULL", "no date"],
    ["datetime($x) IS NOT NULL", "2026-02-30T00:00:00Z"],
    ["duration($x) IS NOT NULL", "soon"],
    ["resource.property.code =~ $x", "("],
    ["1 / $x = 1", 0],
    ["-$x = 1", "a"],
    ["$x", "a"],
    ["$x[0] = 1", "a"],
    ["all(each IN $x WHERE each = 1)", 5],
    ["reduce(sum = 0, each IN $x | sum + each) = 1", "a"],
  ];
  it.each(fragile)("the condition %s with %j is no failure of the server", async (condition, x) => {
    const action = freshName("FRAGILE");
    const cypher = `MATCH (subject:Person), (resource:Thing) WHERE ${condition}`;
    const saved = await trySavePolicy(playground.projectId, {
      policy: {
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Person" },
        actions: [action],
        resource: { type: "Thing" },
        condition: { cypher },
      },
    });
    requireSound(saved);
    const asked = { ...question, action: { name: action }, context: { input_params: { x } } };
    const answer = await tryEvaluate(asked, playground);
    requireSound(answer);
    expect([200, 422]).toContain(answer.status);
    expect(answer.text).not.toContain("true");
  });

  it("hostile texts in every position are names that match nothing", async () => {
    await inParallel(hostileTexts, async (text) => {
      const id = text.slice(0, 60);
      const asked = [
        { ...question, subject: { type: id, id: "p1" } },
        { ...question, subject: { type: "Person", id } },
        { ...question, resource: { type: id, id: "t1" } },
        { ...question, resource: { type: "Thing", id } },
        { ...question, action: { name: id } },
        { ...question, context: { input_params: { guess: "wrong", [id]: "sesame" } } },
        { ...question, context: { input_params: { guess: "wrong" }, policy_tags: [id] } },
        { ...question, subject: { ...question.subject, properties: { [id]: id } } },
      ];
      for (const each of asked) {
        const decided = await tryEvaluate(each, tenant);
        requireSound(decided);
        expect(decided).toMatchObject({ status: 200, body: { decision: false } });
        const searched = await trySearchResource(each, tenant);
        requireSound(searched);
        expect(searched).toMatchObject({ status: 200, body: { results: [] } });
      }
    });
  });

  it("values under generated names are ignored", async () => {
    const names = [
      "__row",
      "__k",
      "token",
      "request",
      "subject_external_id",
      "_appId",
      "s",
      "r",
      "i",
      "c0",
      "__proto__",
    ];
    for (const name of names) {
      const input_params: unknown = JSON.parse(`{"guess":"wrong","${name}":"sesame"}`);
      expect(await evaluate({ ...question, context: { input_params } }, tenant)).toEqual({ decision: false });
    }
  });
});

describe("execution", () => {
  const bad: readonly (readonly [string, object, RegExp])[] = [
    ["no id", {}, /^id: /],
    ["an id that is a number", { id: 1 }, /^id: /],
    ["an empty id", { id: "" }, /^id: /],
    ["an id of 255 characters", { id: "x".repeat(255) }, /^id: /],
    ["input_params as list", { id: "by-guess", input_params: [] }, /^input_params: /],
    [
      "a parameter that is an object",
      { id: "by-guess", input_params: { guess: {} } },
      /^input_params\.guess: /,
    ],
    [
      "a parameter that is a list in a list",
      { id: "by-guess", input_params: { guess: [["x"]] } },
      /^input_params\.guess/,
    ],
    [
      "a parameter of 65,537 characters",
      { id: "by-guess", input_params: { guess: "x".repeat(65_537) } },
      /^input_params/,
    ],
    ["page_size 1,001", { id: "by-guess", page_size: 1_001 }, /^page_size: /],
    ["page_size 1.5", { id: "by-guess", page_size: 1.5 }, /^page_size: /],
    ["page_size as text", { id: "by-guess", page_size: "10" }, /^page_size: /],
    ["page_token as text", { id: "by-guess", page_token: "1" }, /^page_token: /],
    ["page_token 0.5", { id: "by-guess", page_token: 0.5 }, /^page_token: /],
    ["page_token beyond every integer", { id: "by-guess", page_token: 1e300 }, /^page_token: /],
  ];
  it.each(bad)("%s is 400", async (_name, json, detail) => {
    expect(requireRefusal(await post(executePath, json), 400)[0]).toMatch(detail);
  });

  it("an id or name that does not exist is 404", async () => {
    const ids = [
      "nope",
      "gid:",
      "gid:AAAA",
      `gid:${"A".repeat(27)}`,
      tenant.projectId,
      ...hostileTexts,
      "__proto__",
      "constructor",
    ];
    await inParallel(ids, async (id) => {
      requireRefusal(await post(executePath, { id: id.slice(0, 254) }), 404);
    });
  });

  it("pages without end are empty", async () => {
    const execution = { id: "by-guess", input_params: { guess: "sesame" } };
    expect(await execute(execution, tenant)).toHaveLength(1);
    for (const page_token of [2, 1_000_000, Number.MAX_SAFE_INTEGER])
      expect(await execute({ ...execution, page_token }, tenant)).toEqual([]);
    for (const page_token of [-1, 0, 1, Number.MIN_SAFE_INTEGER])
      expect(await execute({ ...execution, page_token, page_size: -5 }, tenant)).toHaveLength(1);
  });

  it("hostile texts are values, and their names belong to nobody", async () => {
    await inParallel(hostileTexts, async (text) => {
      expect(await execute({ id: "by-guess", input_params: { guess: text } }, tenant)).toEqual([]);
      const named = { guess: "sesame", [text]: "x", __row: "x", token: "x", _appId: "x", __proto__x: 1 };
      expect(await execute({ id: "by-guess", input_params: named }, tenant)).toHaveLength(1);
    });
  });

  it("values of other kinds find nothing", async () => {
    for (const guess of [1, true, ["sesame"], [], [1, 2]]) {
      const answer = await post(executePath, { id: "by-guess", input_params: { guess } });
      requireSound(answer);
      expect(answer.text).not.toContain("sesame");
    }
  });
});

describe("generated", () => {
  /** Anything that JSON can say, with texts that are likely to hurt. */
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.constantFrom(...hostileTexts));
  const anything = fc.oneof(
    { weight: 3, arbitrary: text },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 0, 1.5, 1e308, -0, null, true, [], {}, [[]], "") },
  );

  /** Replaces, at random places of a good body, what stands there. */
  const mutate = (body: unknown, choose: () => number, other: unknown): unknown => {
    if (choose() < 0.15) return other;
    if (Array.isArray(body)) return body.map((item) => mutate(item, choose, other));
    if (typeof body !== "object" || body === null) return choose() < 0.3 ? other : body;
    const entries = Object.entries(body).map(([key, value]) => [key, mutate(value, choose, other)]);
    if (choose() < 0.2 && typeof other === "string") entries.push([other, "x"]);
    return Object.fromEntries(entries);
  };
  const mutation = fc.tuple(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), anything).map(
    ([choices, other]) =>
      (body: unknown) =>
        mutate(body, () => choices.next().value ?? 1, other),
  );

  it.each(Object.entries(goodBodies))(
    "%s: any change of a good body is answered soundly",
    async (path, body) => {
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 6, maxLength: 6 }), async (changes) => {
          await Promise.all(
            changes.map(async (change) => {
              const answer = await post(path, change(body), playground);
              requireSound(answer);
              if (![200, 400, 404, 422].includes(answer.status)) throw new Error(`status ${answer.status}`);
            }),
          );
        }),
        { numRuns: 15 },
      );
    },
  );

  it("only the right value opens", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (guess) => {
        const answer = await tryEvaluate({ ...question, context: { input_params: { guess } } }, tenant);
        requireSound(answer);
        // A parameter that is null is missing.
        expect(answer.status).toBe(guess === null ? 422 : 200);
        expect((answer.body as Partial<Decision>).decision ?? false).toBe(guess === "sesame");
      }),
      { numRuns: 60, examples: [["sesame"]] },
    );
  });

  it("what was accepted on the way can still be read", async () => {
    const { nodes } = await (await openCensus(playground))();
    expect(nodes.length).toBeGreaterThan(0);
  });
});

it("after all this nothing has changed", requireUnchanged);

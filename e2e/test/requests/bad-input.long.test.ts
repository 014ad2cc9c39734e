import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Decision } from "@ikg/contracts";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { openCensus } from "../../src/configuration/census.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { saveQuery } from "../../src/configuration/save-query.ts";
import {
  node,
  evaluationPath,
  question,
  goodBodies,
  tenant,
  playground,
  post,
  postRaw,
  requireUnchanged,
  useGuardedThings,
} from "../../src/fixtures/guarded-things.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { execute } from "../../src/requests/execute.ts";
import { hostileTexts } from "../../src/requests/hostile-texts.ts";
import { requireRefusal, requireSound } from "../../src/requests/refusal.ts";

useGuardedThings();

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

  it("properties keep names of objects and of fields of IKG apart from those", async () => {
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
      const buildQuestion = (text: string, guess: string) => ({
        ...question,
        resource: { type: "Thing", id: text },
        context: { input_params: { guess } },
      });
      expect(await evaluate(buildQuestion(id, "odd"), playground)).toEqual({ decision: true });
      expect(await evaluate(buildQuestion(id, "other"), playground)).toEqual({ decision: false });
      expect(await evaluate(buildQuestion(`${id.slice(0, 250)}other`, "odd"), playground)).toEqual({
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
        { numRuns: long(8, 30) },
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
      { numRuns: long(30, 120), examples: [["sesame"]] },
    );
  });

  it("what was accepted on the way can still be read", async () => {
    const { nodes } = await (await openCensus(playground))();
    expect(nodes.length).toBeGreaterThan(0);
  });
});

it("after all this nothing has changed", requireUnchanged);

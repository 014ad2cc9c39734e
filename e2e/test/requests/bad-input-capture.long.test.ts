import { describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import {
  node,
  nodesPath,
  edgesPath,
  thing,
  person,
  edge,
  post,
  postRaw,
  requireUnchanged,
  useGuardedThings,
} from "../../src/fixtures/guarded-things.ts";
import { noNames } from "../../src/requests/hostile-texts.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";

useGuardedThings();

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
      "custom metadata named as a field of IKG",
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

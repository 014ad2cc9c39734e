import { describe, expect, it } from "@jest/globals";
import type { DataSchema } from "@ikg/client";
import { completionsAt, type CompletionWords } from "./completions.ts";

const node = (properties: Record<string, object>, labels: readonly string[] = []) => ({
  metadata: {
    node_count: 3,
    properties,
    system_labels: [],
    user_defined_labels: labels.map((name) => ({ name, count: 1 })),
  },
});
const property = {
  count: 3,
  types: [{ type: "integer", count: 3 }],
  metadata: { source: { count: 1, types: [] } },
};
const edge = (source: string, relation: string, target: string) => ({
  source,
  relation,
  target,
  directed: true,
  metadata: { count: 1, properties: { since: { count: 1, types: [] } } },
});

const schema = {
  graph: {
    directed: true,
    metadata: { created_at: "", updated_at: "" },
    nodes: JSON.parse(
      JSON.stringify({
        Pilot: node({ hours: property }, ["Senior"]),
        Aircraft: node({ airworthy: property }),
        "odd `type`": node({}),
      }).replace(
        /\}$/,
        ',"__proto__":{"metadata":{"node_count":0,"properties":{"polluted":{"types":[]}},"user_defined_labels":[]}}}',
      ),
    ) as object,
    edges: [edge("Pilot", "RATED_FOR", "Model"), edge("Aircraft", "IS", "Model"), edge("Car", "IS", "Model")],
  },
} as unknown as DataSchema; // only what is read
const words: CompletionWords = { schema, types: new Map([["subject", "Pilot"]]) };

/** At the mark `|` of a text. */
const at = (text: string, isExplicit = false, known = words) =>
  completionsAt(text.replace("^", ""), text.indexOf("^"), known, isExplicit);
const textsAt = (text: string, known = words): readonly string[] =>
  (at(text, false, known)?.options ?? []).map((each) => each.text);

describe("completion", () => {
  it.each([
    ["types in a node", "MATCH (x:^", ["Pilot", "Aircraft", "`odd ``type```", "__proto__", "Senior"]],
    [
      "types after another one",
      "MATCH (x:Pilot|Air^)",
      ["Pilot", "Aircraft", "`odd ``type```", "__proto__", "Senior"],
    ],
    ["relationship types", "MATCH (subject)-[:^]->()", ["RATED_FOR", "IS"]],
    ["properties of a known name", "WHERE subject.property.^", ["hours"]],
    ["properties of a name of the text", "MATCH (a:Aircraft) WHERE a.property.air^", ["airworthy"]],
    ["metadata of a property", "WHERE a.property.hours.metadata.^", ["source"]],
    [
      "fields of a node",
      "WHERE subject.^",
      ["property.", "external_id", "type", "id", "create_time", "update_time"],
    ],
  ])("offers %s", (_what, text, expected) => {
    expect(textsAt(text)).toEqual(expected);
  });

  it("offers every property where the type is not known", () => {
    expect(textsAt("WHERE unknown.property.^")).toEqual(["hours", "airworthy", "polluted", "since"]);
  });

  it("replaces the word that is being written", () => {
    expect(at("MATCH (x:Pi^)")?.from).toBe("MATCH (x:".length);
    expect(at("WHERE a = $to^")?.from).toBe("WHERE a = ".length);
  });

  it("offers names of the text, keywords, functions and parameters", () => {
    const found = textsAt("MATCH (subject)-[r]->(model) WITH model AS m WHERE m^");
    expect(found).toEqual(expect.arrayContaining(["subject", "r", "model", "m", "WHERE", "tolower("]));
    expect(textsAt("WHERE a > $most AND b = $^")).toEqual(expect.arrayContaining(["$most", "$token.sub"]));
  });

  it("offers nothing of the graph while it is not known, and nothing at a blank unless asked", () => {
    const unknown = { schema: undefined, types: new Map<string, string>() };
    expect(textsAt("MATCH (x:^", unknown)).toEqual([]);
    expect(at("MATCH ^")).toBeUndefined();
    expect(at("MATCH ^", true)?.options.length).toBeGreaterThan(10);
  });

  it("reads a key of a map as no type", () => {
    expect(textsAt("MATCH (x {external_id: Pil^")).not.toContain("Pilot");
  });
});

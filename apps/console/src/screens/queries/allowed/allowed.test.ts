import { describe, expect, it } from "@jest/globals";
import type { DataSchema } from "@ikg/client";
import { emptyForm } from "../draft/query-form.ts";
import { type Allowed, allowedOf, parametersIn } from "./allowed.ts";
import { allowedPaths } from "./allowed-paths.ts";
import { allowedUpserts, withEntry } from "./allowed-upserts.ts";

const policy = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Person" },
  condition: {
    cypher: "MATCH (subject)-[care:CARES_FOR]->(film:Film) WHERE film.property.year > $since",
    filter: { attribute: "film.external_id", operator: "=", value: "$film" },
  },
  allowed_reads: {
    nodes: ["film", "film.property.*", "subject.property.name.*"],
    relationships: ["care"],
    aggregate_values: ["reels"],
  },
  allowed_upserts: {
    nodes: { existing_nodes: ["film"], node_types: ["Note"] },
    relationships: {
      relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Film" }],
    },
  },
  allowed_deletes: { nodes: ["film.property.*"], relationships: ["care"] },
};

const allowed = (changes: object = {}): Allowed => {
  const read = allowedOf(JSON.stringify({ ...policy, ...changes }));
  if (read === undefined) throw new Error("no policy for queries");
  return read;
};

const property = (metadata: object = {}) => ({ count: 1, types: [], metadata });
const typeWith = (properties: object) => ({ metadata: { node_count: 1, properties } });
const schema = {
  graph: {
    nodes: {
      Film: typeWith({ title: property(), year: property() }),
      Person: typeWith({ name: property({ source: {} }) }),
    },
    edges: [
      { relation: "CARES_FOR", source: "Person", target: "Film", metadata: { properties: { duty: {} } } },
      { relation: "HATES", source: "Person", target: "Film", metadata: { properties: { why: {} } } },
    ],
  },
} as unknown as DataSchema; // only what is read

describe("what a policy allows its queries", () => {
  it("is offered with the properties that the graph has, and with its own entries", () => {
    expect(allowedPaths(allowed(), schema, emptyForm)).toEqual({
      nodes: [
        "film.external_id",
        "film",
        "film.property.title",
        "film.property.year",
        "film.property.*",
        "subject.property.name",
        "subject.property.name.metadata.source",
        "subject.property.name.*",
      ],
      relationships: ["care.duty", "care"],
      aggregate_values: ["reels"],
      // `a.property.*` lets properties be deleted, and is none itself.
      delete_nodes: ["film.property.title", "film.property.year"],
      delete_relationships: ["care"],
    });
  });

  it("is offered without the graph as far as the policy says it", () => {
    expect(allowedPaths(allowed(), undefined, emptyForm).nodes).toEqual([
      "film.external_id",
      "film",
      "film.property.*",
      "subject.property.name",
      "subject.property.name.*",
    ]);
  });

  it("has what the query writes itself besides", () => {
    const form = {
      upsert_nodes: JSON.stringify([{ name: "note", type: "Note", properties: [{ type: "text" }, 3] }, null]),
      upsert_relationships: '[{"name": "about"}]',
    };
    const { nodes, relationships } = allowedPaths(allowed({ allowed_reads: {} }), schema, form);
    expect([nodes, relationships]).toEqual([["note.external_id", "note.property.text"], ["about"]]);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["a policy for decisions", JSON.stringify({ ...policy, meta: { policy_version: "2.0-kbac" } })],
    ["a prototype's name", '{"__proto__": {"meta": {"policy_version": "1.0-ciq"}}}'],
  ])("is undefined for %s", (_what, text) => {
    expect(allowedOf(text)).toBeUndefined();
  });

  it.each([[{ nodes: 3 }], [{ nodes: [1, null, ""] }], [[]], [null]])(
    "is nothing where it says %j",
    (reads) => {
      expect(allowed({ allowed_reads: reads }).nodes).toEqual([]);
    },
  );
});

describe("entries that may be written", () => {
  it("have free names, and the ends that the pattern or the query itself has", () => {
    const before = { upsert_nodes: '[{"name": "note", "type": "Note"}]', upsert_relationships: "" };
    expect(allowedUpserts(allowed(), before)).toEqual({
      upsert_nodes: [
        { label: "new Note", entry: { name: "note_2", type: "Note", external_id: "$note_2_id" } },
        {
          label: "properties of film",
          entry: { name: "film", properties: [{ type: "name", value: "$value" }] },
        },
      ],
      upsert_relationships: [
        {
          label: "(Note)-[ABOUT]->(Film)",
          entry: { name: "about", type: "ABOUT", source: "note", target: "film" },
        },
      ],
    });
  });

  it("are appended to a list, and to nothing else", () => {
    expect(JSON.parse(withEntry(" ", { a: 1 }) ?? "")).toEqual([{ a: 1 }]);
    expect(JSON.parse(withEntry("[1]", { a: 1 }) ?? "")).toEqual([1, { a: 1 }]);
    expect(withEntry("{}", {})).toBeUndefined();
    expect(withEntry("[", {})).toBeUndefined();
  });
});

describe("parameters", () => {
  it("are named once, without what the token and the application bring", () => {
    const { cypher, filters } = allowed();
    expect(parametersIn(cypher, filters, '{"value": "$token.sub", "x": "$_appId", "y": "$film"}')).toEqual([
      "since",
      "film",
    ]);
  });
});

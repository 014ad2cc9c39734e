import { policyOf } from "../versions.ts";
import type { Refusal } from "./refusal.ts";

/** The policy of every query here; the page shows it, too. */
export const queriedPolicy = policyOf(
  "1.0-ciq",
  {
    cypher:
      "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)-[steps:NEXT*1..3]->(next), (film)-[:IS_ON]->(reel:Reel) WITH subject, care, film, steps, next, count(reel) AS reels",
  },
  {
    allowed_reads: { nodes: ["film.property.title"], relationships: ["care"] },
    allowed_upserts: {
      nodes: { existing_nodes: ["film"], node_types: ["Note"] },
      relationships: {
        relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Film" }],
        existing_relationships: ["care"],
      },
    },
    allowed_deletes: { nodes: ["film.property.draft", "film.property.title"], relationships: ["care.duty"] },
  },
);

/** [text, query as JSON or as text] */
type Row = readonly [string, object | string];

const film = (properties: readonly unknown[], more: object = {}): object => ({
  upsert_nodes: [{ name: "film", properties, ...more }],
});
const state = (value: unknown): object => film([{ type: "state", value }]);
const metadata = (...entries: readonly object[]): object =>
  film([{ type: "state", value: 1, metadata: entries }]);
const note = (more: object): object => ({
  upsert_nodes: [{ name: "note", type: "Note", external_id: "$id", ...more }],
});
const about = (more: object): object => ({
  ...note({}),
  upsert_relationships: [{ name: "about", type: "ABOUT", source: "note", target: "film", ...more }],
});
const care = (...properties: readonly object[]): object => ({
  upsert_relationships: [{ name: "care", properties }],
});

const node = "query.upsert_nodes[0]";
const property = `${node}.properties[0]`;
const link = "query.upsert_relationships[0]";

const shape: readonly Row[] = [
  ["query: not valid JSON", "{"],
  [
    "query.nodes: given more than once",
    '{"nodes": ["film.property.title"], "nodes": ["film.property.year"]}',
  ],
  ["query: at least one of its lists must have an entry", {}],
  ["query.limit: unknown key", { nodes: ["film.property.title"], limit: 10 }],
  ["query.batch_read: boolean expected", { nodes: ["film.property.title"], batch_read: "yes" }],
  ["query.batch_read: batch_read is for queries that only read", { ...state(1), batch_read: true }],
];

const allowLists: readonly Row[] = [
  ["query.nodes[0]: film.property.year is not in allowed_reads.nodes", { nodes: ["film.property.year"] }],
  ["query.relationships[0]: steps is not in allowed_reads.relationships", { relationships: ["steps"] }],
  [
    "query.aggregate_values[0]: reels is not in allowed_reads.aggregate_values",
    { aggregate_values: ["reels"] },
  ],
  [
    "query.filter: film.property.year is neither readable nor filtered on by the policy",
    { nodes: ["film.property.title"], filter: { attribute: "film.property.year", operator: "=", value: 1 } },
  ],
  [`${node}.type: Memo is not in allowed_upserts.nodes.node_types`, note({ type: "Memo" })],
  [
    `${node}.name: next is not in allowed_upserts.nodes.existing_nodes`,
    { upsert_nodes: [{ name: "next", properties: [{ type: "state", value: 1 }] }] },
  ],
  [
    `${link}: (Film)-[ABOUT]->(Note) is not in allowed_upserts.relationships.relationship_types`,
    about({ source: "film", target: "note" }),
  ],
  [`${link}.source: the pattern gives "next" no label`, about({ source: "next" })],
  ["query.delete_nodes[0]: film is not in allowed_deletes.nodes", { delete_nodes: ["film"] }],
  [
    "query.delete_relationships[0]: care is not in allowed_deletes.relationships",
    { delete_relationships: ["care"] },
  ],
];

const entries: readonly Row[] = [
  [
    "query.upsert_nodes: at most 50 entries",
    { upsert_nodes: Array.from({ length: 51 }, () => ({ name: "note", type: "Note", external_id: "a" })) },
  ],
  [`${node}.name: a name for an alias`, note({ name: "a note" })],
  [`${node}.name: the name "__note" is reserved`, note({ name: "__note" })],
  [
    `${node}.name: "reel" is a name of the pattern that is not bound after it`,
    { upsert_nodes: [{ name: "reel", type: "Note", external_id: "a" }] },
  ],
  [
    'query.upsert_nodes[1].name: "note" is named twice',
    {
      upsert_nodes: [
        { name: "note", type: "Note", external_id: "a" },
        { name: "note", type: "Note", external_id: "b" },
      ],
    },
  ],
  [`${node}.type: a node type`, note({ type: "N" })],
  [`${node}.type: a node type that does not start with _`, note({ type: "_Note" })],
  [
    `${node}.type: required: the name is not an alias of the pattern`,
    { upsert_nodes: [{ name: "note", external_id: "a" }] },
  ],
  [
    `${node}.type: must be absent: the name is an alias of the pattern`,
    film([{ type: "state", value: 1 }], { type: "Film" }),
  ],
  [`${node}.properties: 1 or more properties`, film([])],
  [
    `${node}.labels: at most 32 labels`,
    note({ labels: Array.from({ length: 33 }, (_, index) => `Label${index}`) }),
  ],
  [`${link}.type: a relationship type in upper case`, about({ type: "about" })],
  [`${link}.source: an alias, or the name of an upsert_nodes entry`, about({ source: "a note" })],
  [
    `${link}.target: "reels" is neither a node of the pattern nor an entry of upsert_nodes`,
    about({ target: "reels" }),
  ],
  [
    `${link}.name: "steps" is a path of several hops, which can only be read`,
    { upsert_relationships: [{ name: "steps", properties: [{ type: "seen", value: 1 }] }] },
  ],
];

const values: readonly Row[] = [
  [`${node}.external_id: string of 1-256 characters expected`, note({ external_id: "" })],
  [`${property}: exactly one of value and external_value expected`, film([{ type: "state" }])],
  [`${property}.type: a property name`, film([{ type: "a b", value: 1 }])],
  [`${property}.type: create_time is protected`, film([{ type: "create_time", value: 1 }])],
  [
    `${node}.properties[1].type: given twice`,
    film([
      { type: "state", value: 1 },
      { type: "state", value: 2 },
    ]),
  ],
  [`${property}.value: string, number, boolean or a list of those expected`, state({})],
  [`${property}.value: a list in a list cannot be stored`, state([[1]])],
  [`${property}.value: entries of one kind expected`, state([1, "a"])],
  [`${property}.value: at most 1000 entries`, state(Array.from({ length: 1_001 }, () => 1))],
  [
    `${property}.value: at most 262144 characters in all entries`,
    state(Array.from({ length: 9 }, () => "x".repeat(32_768))),
  ],
  [`${property}.value: at most 65536 characters`, state("x".repeat(65_537))],
  [`${property}.value: well-formed Unicode expected`, state("\uD800")],
  [`${property}.value: integer between -(2^53-1) and 2^53-1 expected`, state(2 ** 53)],
  [
    `${property}.value: finite number expected`,
    '{"upsert_nodes":[{"name":"film","properties":[{"type":"state","value":1e999}]}]}',
  ],
  [`${property}.value: an array holds literals only`, state(["$state"])],
  [
    `${property}.value: a path is not allowed here; write a literal, $name or $token.<claim>`,
    state("@next.property.state"),
  ],
  [
    `${property}.value: input parameters have no members here; name the parameter alone`,
    state("$film.state"),
  ],
  [
    `${property}.external_value: a resolver is named by a literal or $name`,
    film([{ type: "state", external_value: "$token.resolver" }]),
  ],
  [`${property}.metadata[0].type: a metadata key`, metadata({ type: "a b", value: 1 })],
  [`${property}.metadata[0].value: required`, metadata({ type: "source" })],
  [
    `${property}.metadata[0].value: string of 0-1024 characters expected`,
    metadata({ type: "source", value: 1 }),
  ],
  [`${property}.metadata[0].value: integer expected`, metadata({ type: "assurance_level", value: "high" })],
  [
    `${property}.metadata[0].value: RFC 3339 time with an offset expected`,
    metadata({ type: "verified_time", value: "today" }),
  ],
  [
    `${link}.properties[0].external_value: not possible on a relationship`,
    care({ type: "duty", external_value: "rota" }),
  ],
  [
    `${link}.properties[0].metadata: not possible on a relationship`,
    care({ type: "duty", value: 1, metadata: [] }),
  ],
  [
    `${link}.properties[0].value: the name of another property of this entry expected`,
    about({ properties: [{ type: "discriminating_property", value: "day" }] }),
  ],
  [
    `${link}.properties[0].value: the property that distinguishes parallel relationships cannot be changed`,
    care({ type: "discriminating_property", value: "day" }, { type: "day", value: "mon" }),
  ],
];

const deletes: readonly Row[] = [
  ["query.delete_nodes[0]: film.property.id is protected", { delete_nodes: ["film.property.id"] }],
  ["query.delete_nodes[0]: trust scores cannot be deleted", { delete_nodes: ["film.trust_score.*"] }],
  [
    "query.delete_nodes[0]: a delete names a node, all of it by .*, a property or one metadata key",
    { delete_nodes: ["film.property.*"] },
  ],
  [
    "query.delete_nodes[0]: film.property.title is both upserted and deleted",
    { ...film([{ type: "title", value: "x" }]), delete_nodes: ["film.property.title"] },
  ],
  ["query.delete_relationships[0]: care.type is protected", { delete_relationships: ["care.type"] }],
];

/** A query and why it is refused under `queriedPolicy`. */
export interface QueryRefusal extends Refusal {
  readonly query: string;
}

export const queryRefusals: readonly QueryRefusal[] = [
  ...shape,
  ...allowLists,
  ...entries,
  ...values,
  ...deletes,
].map(([text, query]) => {
  const written = typeof query === "string" ? query : JSON.stringify(query);
  return { text, query: written, example: written };
});

/** The stored queries, made by the public API, and the same by hand. */
import { openAdmin } from "../clients.ts";
import { nodeKey } from "../drive/write-graph.ts";
import type { Target } from "../settings.ts";
import type { DocumentType } from "./data.ts";
import { plan } from "./plan.ts";

const paths = ["document.external_id", "document.property.title", "document.property.level"];

/** An application reads and notes what a person owns; a parameter names the person. */
const policyFor = (type: DocumentType) => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: {
    cypher: `MATCH (subject:_Application) MATCH (person:Person)-[:OWNS]->(document:${type})`,
    filter: [{ attribute: "person.external_id", operator: "=", value: "$person" }],
  },
  allowed_reads: { nodes: ["document.*"] },
  allowed_upserts: {
    nodes: { node_types: ["Note"] },
    relationships: {
      relationship_types: [
        { type: "WROTE", source_node_label: "Person", target_node_label: "Note" },
        { type: "ABOUT", source_node_label: "Note", target_node_label: type },
      ],
    },
  },
});

const read = { nodes: paths };
const narrow = { nodes: ["document.property.title"] };
const wide = {
  nodes: [...paths, ...Array.from({ length: plan.properties }, (_, at) => `document.property.p${at}`)],
};

const write = {
  filter: { attribute: "document.external_id", operator: "=", value: "$document" },
  upsert_nodes: [
    { name: "note", type: "Note", external_id: "$note", properties: [{ type: "text", value: "$text" }] },
  ],
  upsert_relationships: [
    { name: "wrote", type: "WROTE", source: "person", target: "note" },
    { name: "about", type: "ABOUT", source: "note", target: "document" },
  ],
  nodes: ["note.external_id"],
};

/** By the names under which they are stored. */
const queries = {
  documents: ["Document", read],
  titles: ["Document", narrow],
  leaflets: ["Leaflet", narrow],
  everything: ["Document", wide],
  note: ["Document", write],
} as const;

export type QueryName = keyof typeof queries;

/** Saves the policies and queries of a project. */
export const saveQueries = async (target: Target, projectId: string): Promise<void> => {
  const admin = openAdmin(target, projectId);
  const policies = new Map<DocumentType, string>();
  for (const type of ["Document", "Leaflet"] as const) {
    const name = `owners-of-${type.toLowerCase()}s`;
    const made = await admin.policies.create({ name, policy: policyFor(type), status: "ACTIVE", tags: [] });
    policies.set(type, made.id);
  }
  for (const [name, [type, query]] of Object.entries(queries))
    await admin.queries.create({ name, policy_id: policies.get(type) ?? "", query, status: "ACTIVE" });
};

/**
 * The first page in the order of the documents' keys. Parameters: `person`, `rows`. Without the LIMIT the database sometimes
 * goes through all keys in their order instead, which takes eight times as long.
 */
export const handWrittenRead = (
  pk: string,
): string => `MATCH (person:_Node {_key: $person}) WITH person LIMIT 1
MATCH (person)-[:OWNS]->(document:Document__${pk})
RETURN document.external_id AS id, document.title AS title, document.level AS level
ORDER BY document._key LIMIT $rows`;

/** The titles alone, of documents with many properties or of those with one. Parameters: `person`, `rows`. */
export const handWrittenTitles = (
  pk: string,
  type: DocumentType,
): string => `MATCH (person:_Node {_key: $person}) WITH person LIMIT 1
MATCH (person)-[:OWNS]->(document:${type}__${pk})
RETURN document.title AS title ORDER BY document._key LIMIT $rows`;

/** Parameters: `person`, `document`, `note`, `id`, `gid`, `text`, `now`. */
export const handWrittenWrite = (pk: string): string => `MATCH (person:_Node {_key: $person})
MATCH (document:_Node {_key: $document})
WHERE EXISTS { (person)-[:OWNS]->(document) }
MERGE (note:_Node {_key: $note})
ON CREATE SET note:_P__${pk}:Note__${pk}, note.id = $gid, note.type = "Note", note.external_id = $id,
  note.is_identity = false, note.create_time = $now
SET note.text = $text, note.\`text.update_time\` = $now, note.update_time = $now
MERGE (person)-[wrote:WROTE {_discriminator: ""}]->(note)
ON CREATE SET wrote._create_time = $now SET wrote._update_time = $now
MERGE (note)-[about:ABOUT {_discriminator: ""}]->(document)
ON CREATE SET about._create_time = $now SET about._update_time = $now
RETURN note.external_id AS id`;

export const personKey = (pk: string, id: string): string => nodeKey(pk, "Person", id);

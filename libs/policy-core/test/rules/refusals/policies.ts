import { policyOf, type Version } from "../versions.ts";
import { ciq, kbac, all, type Refusal } from "./refusal.ts";

/** A part of a policy and why it is refused. */
export interface PolicyRefusal extends Refusal {
  readonly versions: readonly Version[];
  readonly policy: (version: Version) => string;
}

const conditions: Readonly<Record<Version, object>> = {
  "2.0-kbac": { cypher: "MATCH (subject), (resource)" },
  "3.0-kbac": { cypher: "MATCH (subject), (resource)" },
  "1.0-ciq": {
    cypher:
      "MATCH (subject:Archivist)-[care:CARES_FOR]->(film:Film)-[steps:NEXT*1..3]->(), (app:_Application)-[own:_HAS]->() WITH *, 1 AS one",
  },
};

/** [text, members of the policy that are changed, versions] */
type Row = readonly [string, object, readonly Version[]];

const reads = (lists: object): object => ({ allowed_reads: lists });
const upserts = (lists: object): object => ({ allowed_upserts: lists });
const deletes = (lists: object): object => ({ allowed_deletes: lists });
const triple = (more: object): object =>
  upserts({
    relationships: {
      relationship_types: [{ type: "ABOUT", source_node_label: "Note", target_node_label: "Film", ...more }],
    },
  });

const shape: readonly Row[] = [
  [
    "policy.meta.policy_version: one of 2.0-kbac, 3.0-kbac, 1.0-ciq",
    { meta: { policy_version: "1.0-kbac" } },
    all,
  ],
  ["policy.meta.policy_version: required", { meta: {} }, all],
  [
    'policy.meta.policyVersion: write "policy_version": "2.0-kbac"; the rest stays',
    { meta: { policyVersion: "1.0-indykite" } },
    all,
  ],
  [
    'policy.meta.policy_version: write "policy_version": "2.0-kbac"; the rest stays',
    { meta: { policy_version: "1.0-indykite" } },
    all,
  ],
  ["policy.owner: unknown key", { owner: "me" }, all],
  ["policy.actions: unknown key", { actions: ["READ"] }, ciq],
  ["policy.subject: object expected", { subject: "Archivist" }, all],
  ["policy.subject.type: string expected", { subject: { type: 1 } }, all],
  [
    "policy.subject.type: 2-64 letters, digits and _, beginning with a letter or _",
    { subject: { type: "Head archivist" } },
    all,
  ],
  ['policy.subject.type: "_Node" is not a node type', { subject: { type: "_Node" } }, all],
  ["policy.actions: must list 1 to 5 actions", { actions: [] }, kbac],
  ["policy.actions[0]: 2-64 letters, digits and . : _ - /", { actions: ["LEND OUT"] }, kbac],
  ['policy.actions: the action "LEND" is listed twice', { actions: ["LEND", "LEND"] }, kbac],
  ["policy.condition.cypher: required", { condition: {} }, all],
  [
    'policy.condition: location parameter "$at" may be used in USE clauses only',
    {
      condition: {
        cypher: "USE graph.byName($at) MATCH (subject), (resource) WHERE subject.property.at = $at",
      },
    },
    ["3.0-kbac"],
  ],
];

const lists: readonly Row[] = [
  ["policy.allowed_reads: object expected", reads([]), ciq],
  ["policy.allowed_reads.nodes: array expected", reads({ nodes: "film" }), ciq],
  ["policy.allowed_reads.nodes[0]: string expected", reads({ nodes: [1] }), ciq],
  ['policy.allowed_reads.nodes[0]: "reel" is not bound after the pattern', reads({ nodes: ["reel"] }), ciq],
  ['policy.allowed_reads.nodes[0]: "care" is not a node', reads({ nodes: ["care"] }), ciq],
  [
    'policy.allowed_reads.nodes[0]: "a-b" is not a property name',
    reads({ nodes: ["film.property.a-b"] }),
    ciq,
  ],
  [
    'policy.allowed_reads.relationships[0]: "film" is not a relationship',
    reads({ relationships: ["film"] }),
    ciq,
  ],
  [
    "policy.allowed_reads.relationships[0]: a path of several hops has no properties of its own",
    reads({ relationships: ["steps.since"] }),
    ciq,
  ],
  [
    'policy.allowed_reads.aggregate_values[0]: "film" is not bound by AS after the pattern',
    reads({ aggregate_values: ["film"] }),
    ciq,
  ],
  [
    "policy.allowed_upserts.nodes.node_types[0]: a node type that does not start with _",
    upserts({ nodes: { node_types: ["_Note"] } }),
    ciq,
  ],
  [
    "policy.allowed_upserts.nodes.existing_nodes[0]: nodes of type _Application can only be linked",
    upserts({ nodes: { existing_nodes: ["app"] } }),
    ciq,
  ],
  [
    'policy.allowed_upserts.relationships.existing_relationships[0]: "steps" is a path of several hops, which can only be read',
    upserts({ relationships: { existing_relationships: ["steps"] } }),
    ciq,
  ],
  [
    "policy.allowed_upserts.relationships.existing_relationships[0]: relationships of type _HAS cannot be changed",
    upserts({ relationships: { existing_relationships: ["own"] } }),
    ciq,
  ],
  [
    "policy.allowed_upserts.relationships.relationship_types[0].type: a relationship type in upper case",
    triple({ type: "about" }),
    ciq,
  ],
  [
    "policy.allowed_upserts.relationships.relationship_types[0].source_node_label: a node type",
    triple({ source_node_label: "N" }),
    ciq,
  ],
  [
    "policy.allowed_deletes.nodes[0]: film.external_id is protected",
    deletes({ nodes: ["film.external_id"] }),
    ciq,
  ],
  [
    "policy.allowed_deletes.nodes[0]: trust scores cannot be deleted",
    deletes({ nodes: ["film.trust_score.*"] }),
    ciq,
  ],
  [
    "policy.allowed_deletes.nodes[0]: nodes of type _Application can only be linked",
    deletes({ nodes: ["app"] }),
    ciq,
  ],
  [
    "policy.allowed_deletes.relationships[0]: care.type is protected",
    deletes({ relationships: ["care.type"] }),
    ciq,
  ],
  [
    "policy.allowed_deletes.relationships[0]: relationships of type _HAS cannot be changed",
    deletes({ relationships: ["own"] }),
    ciq,
  ],
];

/** Whole texts that are no policy. */
const texts: readonly (readonly [string, string])[] = [
  ["policy: not valid JSON", "{"],
  ["policy: object expected", "[]"],
  ["policy.condition.filter: given more than once", '{"condition": {"filter": [], "filter": []}}'],
  ["policy: at most 512000 characters", " ".repeat(512_001)],
  ["policy: nested deeper than 32 levels", `{"meta": ${"[".repeat(32)}${"]".repeat(32)}}`],
];

export const policyRefusals: readonly PolicyRefusal[] = [
  ...texts.map(([text, policy]) => ({ text, example: policy, versions: all, policy: () => policy })),
  ...[...shape, ...lists].map(([text, change, versions]) => ({
    text,
    example: JSON.stringify(change),
    versions,
    policy: (version: Version) => JSON.stringify(policyOf(version, conditions[version], change)),
  })),
];

/** Of a policy that is compiled as another kind than it is. */
export const otherKind = "policy.meta.policy_version: not a CIQ policy";

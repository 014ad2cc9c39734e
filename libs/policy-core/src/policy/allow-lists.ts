import type { Faults } from "../checked.ts";
import type { JsonObject } from "../json.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import {
  member,
  readArray,
  readName,
  readObject,
  readStrings,
  relationshipTypePattern,
  typePattern,
} from "../shape.ts";

/** What queries of a policy may touch (policies specification 7.1). Absent lists allow nothing. */
export interface AllowLists {
  readonly reads: {
    readonly nodes: readonly NodePath[];
    readonly relationships: readonly RelationshipPath[];
    readonly aggregates: readonly string[];
  };
  readonly upserts: {
    readonly existingNodes: readonly string[];
    readonly nodeTypes: readonly string[];
    readonly relationshipTypes: readonly RelationshipTriple[];
    readonly existingRelationships: readonly string[];
  };
  readonly deletes: {
    readonly nodes: readonly NodePath[];
    readonly relationships: readonly RelationshipPath[];
  };
}

export interface RelationshipTriple {
  readonly type: string;
  readonly source: string;
  readonly target: string;
}

/** The lists as texts, before their aliases are looked up. */
export type RawAllowLists = Readonly<Record<ListName, readonly string[]>> & {
  readonly relationshipTypes: readonly RelationshipTriple[];
};

/** Where each list stands in the policy. */
export const listPaths = {
  readNodes: "policy.allowed_reads.nodes",
  readRelationships: "policy.allowed_reads.relationships",
  aggregates: "policy.allowed_reads.aggregate_values",
  existingNodes: "policy.allowed_upserts.nodes.existing_nodes",
  nodeTypes: "policy.allowed_upserts.nodes.node_types",
  existingRelationships: "policy.allowed_upserts.relationships.existing_relationships",
  deleteNodes: "policy.allowed_deletes.nodes",
  deleteRelationships: "policy.allowed_deletes.relationships",
} as const;

export type ListName = keyof typeof listPaths;

const noLists: JsonObject = {};

const block = (
  object: JsonObject,
  key: string,
  path: string,
  keys: readonly string[],
  faults: Faults,
): JsonObject =>
  member(object, key) === undefined
    ? noLists
    : (readObject(member(object, key), path, keys, faults) ?? noLists);

const readTriples = (value: unknown, faults: Faults): readonly RelationshipTriple[] => {
  const path = "policy.allowed_upserts.relationships.relationship_types";
  return readArray(value, path, faults).flatMap((entry, index) => {
    const at = `${path}[${index}]`;
    const object = readObject(entry, at, ["type", "source_node_label", "target_node_label"], faults);
    if (object === undefined) return [];
    const type = readName(
      member(object, "type"),
      `${at}.type`,
      relationshipTypePattern,
      "a relationship type in upper case",
      faults,
    );
    const label = (key: string): string | undefined =>
      readName(member(object, key), `${at}.${key}`, typePattern, "a node type", faults);
    const source = label("source_node_label");
    const target = label("target_node_label");
    return type === undefined || source === undefined || target === undefined
      ? []
      : [{ type, source, target }];
  });
};

/** Reads the shape of the three blocks: stage (b). */
export const readAllowLists = (policy: JsonObject, faults: Faults): RawAllowLists => {
  const reads = block(
    policy,
    "allowed_reads",
    "policy.allowed_reads",
    ["nodes", "relationships", "aggregate_values"],
    faults,
  );
  const upserts = block(
    policy,
    "allowed_upserts",
    "policy.allowed_upserts",
    ["nodes", "relationships"],
    faults,
  );
  const deletes = block(
    policy,
    "allowed_deletes",
    "policy.allowed_deletes",
    ["nodes", "relationships"],
    faults,
  );
  const nodes = block(
    upserts,
    "nodes",
    "policy.allowed_upserts.nodes",
    ["existing_nodes", "node_types"],
    faults,
  );
  const relationships = block(
    upserts,
    "relationships",
    "policy.allowed_upserts.relationships",
    ["relationship_types", "existing_relationships"],
    faults,
  );
  const strings = (object: JsonObject, key: string, name: ListName): readonly string[] =>
    readStrings(member(object, key), listPaths[name], faults);
  return {
    readNodes: strings(reads, "nodes", "readNodes"),
    readRelationships: strings(reads, "relationships", "readRelationships"),
    aggregates: strings(reads, "aggregate_values", "aggregates"),
    existingNodes: strings(nodes, "existing_nodes", "existingNodes"),
    nodeTypes: strings(nodes, "node_types", "nodeTypes"),
    existingRelationships: strings(relationships, "existing_relationships", "existingRelationships"),
    deleteNodes: strings(deletes, "nodes", "deleteNodes"),
    deleteRelationships: strings(deletes, "relationships", "deleteRelationships"),
    relationshipTypes: readTriples(member(relationships, "relationship_types"), faults),
  };
};

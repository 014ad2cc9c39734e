import type { Binding } from "../bindings/scope.ts";
import type { Faults } from "../checked.ts";
import type { JsonObject } from "../json.ts";
import {
  aliasOf,
  isFault,
  readNodePath,
  readRelationshipPath,
  type NodePath,
  type RelationshipPath,
} from "../paths/path.ts";
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

const listPaths = {
  readNodes: "policy.allowed_reads.nodes",
  readRelationships: "policy.allowed_reads.relationships",
  aggregates: "policy.allowed_reads.aggregate_values",
  existingNodes: "policy.allowed_upserts.nodes.existing_nodes",
  nodeTypes: "policy.allowed_upserts.nodes.node_types",
  existingRelationships: "policy.allowed_upserts.relationships.existing_relationships",
  deleteNodes: "policy.allowed_deletes.nodes",
  deleteRelationships: "policy.allowed_deletes.relationships",
} as const;

type ListName = keyof typeof listPaths;

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

type Bindings = ReadonlyMap<string, Binding>;

/** Looks an alias up; what an entry names must be bound after the whole pattern, and be of the fitting kind. */
const boundAs = (
  alias: string,
  kind: "node" | "relationship",
  path: string,
  bindings: Bindings,
  faults: Faults,
): Binding | undefined => {
  const binding = bindings.get(alias);
  if (binding === undefined) faults.add(path, `"${alias.slice(0, 64)}" is not bound after the pattern`);
  else if (
    binding.kind.kind !== kind &&
    !(kind === "relationship" && binding.kind.kind === "list" && binding.kind.of.kind === "relationship")
  ) {
    faults.add(path, `"${alias}" is not a ${kind}`);
  } else return binding;
  return undefined;
};

/** Node paths of a list, each with its alias bound as a node. */
export const resolveNodePaths = (
  texts: readonly string[],
  path: string,
  bindings: Bindings,
  faults: Faults,
): readonly NodePath[] =>
  texts.flatMap((text, index) => {
    const at = `${path}[${index}]`;
    if (boundAs(aliasOf(text), "node", at, bindings, faults) === undefined) return [];
    const found = readNodePath(text);
    if (!isFault(found)) return [found];
    faults.add(at, found.fault);
    return [];
  });

/** Relationship paths of a list; an alias of a variable-length relationship is only readable whole. */
export const resolveRelationshipPaths = (
  texts: readonly string[],
  path: string,
  bindings: Bindings,
  faults: Faults,
): readonly RelationshipPath[] =>
  texts.flatMap((text, index) => {
    const at = `${path}[${index}]`;
    const binding = boundAs(aliasOf(text), "relationship", at, bindings, faults);
    if (binding === undefined) return [];
    const found = readRelationshipPath(text);
    if (isFault(found)) faults.add(at, found.fault);
    else if (binding.kind.kind === "list" && found.kind === "property") {
      faults.add(at, "a path of several hops has no properties of its own");
    } else return [found];
    return [];
  });

/** Names bound by AS that a list opens or a query asks for. */
export const resolveAggregates = (
  names: readonly string[],
  path: string,
  bindings: Bindings,
  faults: Faults,
): readonly string[] =>
  names.filter((name, index) => {
    const binding = bindings.get(name);
    if (binding !== undefined && !binding.pattern) return true;
    faults.add(`${path}[${index}]`, `"${name.slice(0, 64)}" is not bound by AS after the pattern`);
    return false;
  });

const protectedNames: ReadonlySet<string> = new Set([
  "_service",
  "create_time",
  "external_id",
  "id",
  "type",
  "update_time",
]);
const systemTypes: ReadonlySet<string> = new Set(["_Application", "_AppAgent", "_TrustScore"]);

const labelOf = (alias: string, bindings: Bindings, subjectType: string): string | undefined => {
  const kind = bindings.get(alias)?.kind;
  return alias === "subject" ? subjectType : kind?.kind === "node" ? kind.label : undefined;
};

const checkNodeDeletes = (
  paths: readonly NodePath[],
  bindings: Bindings,
  subjectType: string,
  faults: Faults,
): void => {
  paths.forEach((path, index) => {
    const at = `${listPaths.deleteNodes}[${index}]`;
    if (path.kind === "system" || ("name" in path && protectedNames.has(path.name))) {
      faults.add(at, `${path.text} is protected`);
    } else if (path.kind === "trust" || path.kind === "all-trust")
      faults.add(at, "trust scores cannot be deleted");
    const label = labelOf(path.alias, bindings, subjectType);
    if (label !== undefined && systemTypes.has(label))
      faults.add(at, `nodes of type ${label} can only be linked`);
  });
};

/** Looks every alias up and checks protected names: stages (d) to (f). */
export const resolveAllowLists = (
  raw: RawAllowLists,
  bindings: Bindings,
  subjectType: string,
  faults: Faults,
): AllowLists => {
  const nodes = (name: ListName): readonly NodePath[] =>
    resolveNodePaths(raw[name], listPaths[name], bindings, faults);
  const relationships = (name: ListName): readonly RelationshipPath[] =>
    resolveRelationshipPaths(raw[name], listPaths[name], bindings, faults);
  const deletes = { nodes: nodes("deleteNodes"), relationships: relationships("deleteRelationships") };
  checkNodeDeletes(deletes.nodes, bindings, subjectType, faults);
  deletes.relationships.forEach((path, index) => {
    if (path.kind === "property" && path.name !== "external_id" && protectedNames.has(path.name)) {
      faults.add(`${listPaths.deleteRelationships}[${index}]`, `${path.text} is protected`);
    }
  });
  raw.existingNodes.forEach((alias, index) => {
    const at = `${listPaths.existingNodes}[${index}]`;
    boundAs(alias, "node", at, bindings, faults);
    const label = labelOf(alias, bindings, subjectType);
    if (label !== undefined && systemTypes.has(label))
      faults.add(at, `nodes of type ${label} can only be linked`);
  });
  raw.existingRelationships.forEach((alias, index) => {
    boundAs(alias, "relationship", `${listPaths.existingRelationships}[${index}]`, bindings, faults);
  });
  raw.nodeTypes.forEach((type, index) => {
    if (!typePattern.test(type) || type.startsWith("_")) {
      faults.add(`${listPaths.nodeTypes}[${index}]`, "a node type that does not start with _");
    }
  });
  return {
    reads: {
      nodes: nodes("readNodes"),
      relationships: relationships("readRelationships"),
      aggregates: resolveAggregates(raw.aggregates, listPaths.aggregates, bindings, faults),
    },
    upserts: {
      existingNodes: raw.existingNodes,
      nodeTypes: raw.nodeTypes,
      relationshipTypes: raw.relationshipTypes,
      existingRelationships: raw.existingRelationships,
    },
    deletes,
  };
};

import {
  boundAsOne,
  resolveAggregates,
  resolveNodePath,
  resolveNodePaths,
  resolveRelationshipPath,
  resolveRelationshipPaths,
} from "../bindings/bound-path.ts";
import {
  type Faults,
  type JsonObject,
  member,
  readArray,
  readName,
  readObject,
  readStrings,
  relationshipTypePattern,
  typePattern,
} from "../json.ts";
import { memoizeByName } from "../memoize-by-name.ts";
import {
  type NodePath,
  type RelationshipPath,
  linkOnlyFault,
  nodeDeleteFault,
  relationshipDeleteFault,
} from "../paths/path.ts";
import { statedTypes, staticLabels, type Condition } from "./condition.ts";

/** What queries of a policy may touch. Absent lists allow nothing. */
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

interface RelationshipTriple {
  readonly type: string;
  readonly source: string;
  readonly target: string;
}

/** The lists as texts, before their aliases are looked up. */
type RawAllowLists = Readonly<Record<ListName, readonly string[]>> & {
  readonly relationshipTypes: readonly RelationshipTriple[];
};

/** The path of each list in the policy. */
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

interface Resolver {
  readonly raw: RawAllowLists;
  readonly condition: Condition;
  /** Why queries may not change the node under an alias: one of the platform, where the text states its label. */
  readonly nodeFault: (alias: string) => string | undefined;
  /** The same for relationships. */
  readonly relationshipFault: (alias: string) => string | undefined;
  readonly faults: Faults;
}

const platformRelationshipFault = (alias: string, { query }: Condition): string | undefined => {
  const own = statedTypes(alias, query).find((type) => type.startsWith("_"));
  return own === undefined ? undefined : `relationships of type ${own} cannot be changed`;
};

const checkWritableNode = (alias: string, at: string, { nodeFault, faults }: Resolver): void => {
  const fault = nodeFault(alias);
  if (fault !== undefined) faults.add(at, fault);
};

const checkWritableRelationship = (alias: string, at: string, resolver: Resolver): void => {
  const fault = resolver.relationshipFault(alias);
  if (fault !== undefined) resolver.faults.add(at, fault);
};

const resolveDeletes = (resolver: Resolver): AllowLists["deletes"] => {
  const { raw, condition, faults } = resolver;
  const { bindings } = condition.analysis;
  const nodes = raw.deleteNodes.flatMap((text, index) => {
    const at = `${listPaths.deleteNodes}[${index}]`;
    const path = resolveNodePath(text, at, bindings, faults);
    if (path === undefined) return [];
    const fault = nodeDeleteFault(path);
    if (fault !== undefined) faults.add(at, fault);
    checkWritableNode(path.alias, at, resolver);
    return [path];
  });
  const relationships = raw.deleteRelationships.flatMap((text, index) => {
    const at = `${listPaths.deleteRelationships}[${index}]`;
    const path = resolveRelationshipPath(text, at, bindings, faults);
    if (path === undefined) return [];
    const fault = relationshipDeleteFault(path);
    if (fault !== undefined) faults.add(at, fault);
    boundAsOne(path.alias, "relationship", at, bindings, faults);
    checkWritableRelationship(path.alias, at, resolver);
    return [path];
  });
  return { nodes, relationships };
};

const checkUpserts = (resolver: Resolver): void => {
  const { raw, condition, faults } = resolver;
  const { bindings } = condition.analysis;
  raw.existingNodes.forEach((alias, index) => {
    const at = `${listPaths.existingNodes}[${index}]`;
    if (boundAsOne(alias, "node", at, bindings, faults) !== undefined) checkWritableNode(alias, at, resolver);
  });
  raw.existingRelationships.forEach((alias, index) => {
    const at = `${listPaths.existingRelationships}[${index}]`;
    if (boundAsOne(alias, "relationship", at, bindings, faults) !== undefined)
      checkWritableRelationship(alias, at, resolver);
  });
  raw.nodeTypes.forEach((type, index) => {
    if (!typePattern.test(type) || type.startsWith("_")) {
      faults.add(`${listPaths.nodeTypes}[${index}]`, "a node type that does not start with _");
    }
  });
};

/** Looks every alias up and checks protected names. */
export const resolveAllowLists = (
  raw: RawAllowLists,
  condition: Condition,
  subjectType: string,
  faults: Faults,
): AllowLists => {
  const resolver: Resolver = {
    raw,
    condition,
    nodeFault: memoizeByName((alias) => linkOnlyFault(staticLabels(alias, condition, subjectType))),
    relationshipFault: memoizeByName((alias) => platformRelationshipFault(alias, condition)),
    faults,
  };
  const { bindings } = condition.analysis;
  const nodes = (name: ListName): readonly NodePath[] =>
    resolveNodePaths(raw[name], listPaths[name], bindings, faults);
  const relationships = (name: ListName): readonly RelationshipPath[] =>
    resolveRelationshipPaths(raw[name], listPaths[name], bindings, faults);
  const deletes = resolveDeletes(resolver);
  checkUpserts(resolver);
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

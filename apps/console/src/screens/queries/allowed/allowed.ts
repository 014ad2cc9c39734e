import { isObject, type Members, objectOf, textOf, typeOf } from "../../../text/json.ts";

/** A relationship that may be written, by the types of its ends. */
export interface RelationshipType {
  readonly type: string;
  readonly source: string;
  readonly target: string;
}

/** What a policy allows its queries, as its author wrote it; a draft of a policy may be anything. */
export interface Allowed {
  readonly subjectType: string;
  readonly cypher: string;
  /** Texts of the filters, for the parameters that they name. */
  readonly filters: string;
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
  readonly aggregateValues: readonly string[];
  readonly existingNodes: readonly string[];
  readonly nodeTypes: readonly string[];
  readonly existingRelationships: readonly string[];
  readonly relationshipTypes: readonly RelationshipType[];
  readonly deleteNodes: readonly string[];
  readonly deleteRelationships: readonly string[];
}

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : [];

const relationshipTypeOf = (value: unknown): readonly RelationshipType[] => {
  const { type, source_node_label: source, target_node_label: target } = membersOf(value);
  const read = { type: textOf(type), source: textOf(source), target: textOf(target) };
  return read.type === "" ? [] : [read];
};

/** @returns undefined for a text that is not a policy for queries. */
export const allowedOf = (policy: string): Allowed | undefined => {
  const members = objectOf(policy);
  if (members === undefined) return undefined;
  if (!textOf(membersOf(members["meta"])["policy_version"]).endsWith("-ciq")) return undefined;
  const condition = membersOf(members["condition"]);
  const reads = membersOf(members["allowed_reads"]);
  const upserts = membersOf(members["allowed_upserts"]);
  const deletes = membersOf(members["allowed_deletes"]);
  const [nodes, relationships] = [membersOf(upserts["nodes"]), membersOf(upserts["relationships"])];
  const types = relationships["relationship_types"];
  return {
    subjectType: typeOf(members["subject"]),
    cypher: textOf(condition["cypher"]),
    filters: JSON.stringify([condition["filter"], condition["token_filter"]]),
    nodes: textsOf(reads["nodes"]),
    relationships: textsOf(reads["relationships"]),
    aggregateValues: textsOf(reads["aggregate_values"]),
    existingNodes: textsOf(nodes["existing_nodes"]),
    nodeTypes: textsOf(nodes["node_types"]),
    existingRelationships: textsOf(relationships["existing_relationships"]),
    relationshipTypes: Array.isArray(types) ? types.flatMap(relationshipTypeOf) : [],
    deleteNodes: textsOf(deletes["nodes"]),
    deleteRelationships: textsOf(deletes["relationships"]),
  };
};

const reserved: ReadonlySet<string> = new Set(["token", "_appId"]);

/** Parameters that texts name, in the order of reading. */
export const parametersIn = (...texts: readonly string[]): readonly string[] => [
  ...new Set(
    texts
      .flatMap((text) => [...text.matchAll(/\$([A-Za-z_]\w*)/g)].flatMap(([, name]) => name ?? []))
      .filter((name) => !reserved.has(name)),
  ),
];

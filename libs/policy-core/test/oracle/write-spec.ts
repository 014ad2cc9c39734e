import { ciqJson, queryJson, type ProjectionSpec, type QuerySpec } from "./policy.ts";
import { plainOf } from "./store.ts";
import type { JsonValue, Stored } from "./model.ts";

/** A value as a query writes it. */
export type GivenSpec =
  | { readonly is: "literal"; readonly value: Stored }
  | { readonly is: "parameter"; readonly name: string }
  | { readonly is: "claim"; readonly name: string };

export interface PropertySet {
  readonly name: string;
  /** Absent: `external` names a resolver. */
  readonly value?: GivenSpec;
  readonly external?: string;
  readonly metadata: readonly { readonly key: string; readonly value: GivenSpec }[];
}

export type NodeUpsertSpec =
  | { readonly kind: "existing"; readonly name: string; readonly properties: readonly PropertySet[] }
  | {
      readonly kind: "new";
      readonly name: string;
      readonly type: string;
      readonly externalId: GivenSpec;
      readonly labels: readonly string[];
      readonly properties: readonly PropertySet[];
    };

export type EdgeUpsertSpec =
  | { readonly kind: "existing"; readonly name: string; readonly properties: readonly PropertySet[] }
  | {
      readonly kind: "new";
      readonly name: string;
      readonly type: string;
      readonly source: string;
      readonly target: string;
      readonly properties: readonly PropertySet[];
    };

/** What is deleted of an alias: the element, all its properties, one of them, or one piece of metadata. */
export interface DeleteSpec {
  readonly alias: string;
  readonly what: "element" | "all" | { readonly property: string; readonly key?: string };
}

/** `[type, label of the source, label of the target]`. */
export type Triple = readonly [string, string, string];

/** What a policy opens, mostly more than its query uses. */
export interface ListsSpec {
  readonly existingNodes: readonly string[];
  readonly nodeTypes: readonly string[];
  readonly existingEdges: readonly string[];
  readonly triples: readonly Triple[];
  readonly deleteNodes: readonly string[];
  readonly deleteEdges: readonly string[];
}

/** A CIQ policy together with one writing query of it. */
export interface WriteSpec {
  /** Condition, filters and projections; `wide`, so that every path of its aliases may be read. */
  readonly base: QuerySpec;
  readonly lists: ListsSpec;
  readonly upsertNodes: readonly NodeUpsertSpec[];
  readonly upsertEdges: readonly EdgeUpsertSpec[];
  readonly deleteNodes: readonly DeleteSpec[];
  readonly deleteEdges: readonly DeleteSpec[];
  /** New nodes and relationships that are shown. */
  readonly shown: readonly ProjectionSpec[];
}

const givenJson = (given: GivenSpec): unknown => {
  switch (given.is) {
    case "literal":
      return plainOf(given.value);
    case "parameter":
      return `$${given.name}`;
    case "claim":
      return `$token.${given.name}`;
  }
};

const propertyJson = ({ name, value, external, metadata }: PropertySet): unknown => ({
  type: name,
  ...(value === undefined ? { external_value: external } : { value: givenJson(value) }),
  ...(metadata.length === 0
    ? {}
    : { metadata: metadata.map((each) => ({ type: each.key, value: givenJson(each.value) })) }),
});

const nodeJson = (entry: NodeUpsertSpec): unknown => ({
  name: entry.name,
  ...(entry.kind === "existing"
    ? {}
    : { type: entry.type, external_id: givenJson(entry.externalId), labels: entry.labels }),
  properties: entry.properties.map(propertyJson),
});

const edgeJson = (entry: EdgeUpsertSpec): unknown => ({
  name: entry.name,
  ...(entry.kind === "existing" ? {} : { type: entry.type, source: entry.source, target: entry.target }),
  ...(entry.properties.length === 0 ? {} : { properties: entry.properties.map(propertyJson) }),
});

/** The path of a delete. */
export const deleteText = ({ alias, what }: DeleteSpec, of: "node" | "edge"): string => {
  if (what === "element") return alias;
  if (what === "all") return `${alias}.*`;
  if (of === "edge") return `${alias}.${what.property}`;
  const path = `${alias}.property.${what.property}`;
  return what.key === undefined ? path : `${path}.metadata.${what.key}`;
};

export const writePolicyJson = ({ base, lists }: WriteSpec): unknown => ({
  ...(ciqJson(base) as object),
  allowed_upserts: {
    nodes: { existing_nodes: lists.existingNodes, node_types: lists.nodeTypes },
    relationships: {
      relationship_types: lists.triples.map(([type, source, target]) => ({
        type,
        source_node_label: source,
        target_node_label: target,
      })),
      existing_relationships: lists.existingEdges,
    },
  },
  allowed_deletes: { nodes: lists.deleteNodes, relationships: lists.deleteEdges },
});

export const writeQueryJson = (spec: WriteSpec): unknown => ({
  ...(queryJson({ ...spec.base, projections: [...spec.base.projections, ...spec.shown] }) as object),
  upsert_nodes: spec.upsertNodes.map(nodeJson),
  upsert_relationships: spec.upsertEdges.map(edgeJson),
  delete_nodes: spec.deleteNodes.map((each) => deleteText(each, "node")),
  delete_relationships: spec.deleteEdges.map((each) => deleteText(each, "edge")),
});

/** The same policy and query, which only reads. */
export const readOf = (spec: WriteSpec): WriteSpec => ({
  ...spec,
  upsertNodes: [],
  upsertEdges: [],
  deleteNodes: [],
  deleteEdges: [],
  shown: [],
});

/** The value that a write gives, of the parameters and claims of one call; null where a claim is absent. */
export const givenValue = (
  given: GivenSpec,
  params: Readonly<Record<string, JsonValue>>,
  token: Readonly<Record<string, JsonValue>> | undefined,
): Stored | null => {
  if (given.is === "literal") return given.value;
  const value = given.is === "parameter" ? params[given.name] : token?.[given.name];
  // Drawn as a scalar or a list of one kind.
  return (value ?? null) as Stored | null;
};

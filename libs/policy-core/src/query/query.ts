import {
  boundAsOne,
  resolveAggregates,
  resolveNodePath,
  resolveNodePaths,
  resolveRelationshipPath,
  resolveRelationshipPaths,
} from "../bindings/bound-path.ts";
import { defaultBudget } from "../bounds/budget.ts";
import type { Filter } from "../filters/filter.ts";
import { readFilters, type RawFilter } from "../filters/read.ts";
import { limitFilter, resolveFilter, type ResolvedFilter } from "../filters/resolve.ts";
import {
  Faults,
  success,
  type Checked,
  readJson,
  type JsonObject,
  member,
  readObject,
  readStrings,
} from "../json.ts";
import {
  type NodePath,
  type RelationshipPath,
  isProtectedOnNode,
  isProtectedOnRelationship,
  nodeDeleteFault,
  relationshipDeleteFault,
  topicOf,
} from "../paths/path.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import { RequiredInputs, needsOf } from "../values/reference.ts";
import { checkFilterPaths, checkProjection, type Projection, checkAllowedWrites } from "./allowed.ts";
import { echoOf } from "./echo.ts";
import { addInputOf } from "./value-source.ts";
import { UpsertNames } from "./names.ts";
import {
  type PropertyWrite,
  type Writes,
  readNodeUpserts,
  readRelationshipUpserts,
  type RawNodeUpsert,
  type RawRelationshipUpsert,
} from "./read-upserts.ts";

/** Topics of what the entries write to existing elements: their aliases, properties and metadata keys. */
const upsertedTopics = (
  entries: Writes["upsertNodes"] | Writes["upsertRelationships"],
): ReadonlySet<string> => {
  const topics = new Set<string>();
  for (const { kind, name: alias, properties } of entries) {
    if (kind !== "existing") continue;
    for (const { name, metadata } of properties) {
      topics.add(alias).add(topicOf({ alias, name }));
      for (const { key } of metadata) topics.add(topicOf({ alias, name, key }));
    }
  }
  return topics;
};

/** Refuses paths that one query both upserts and deletes. */
const checkContradictions = (writes: Writes, faults: Faults): void => {
  const check = (
    list: string,
    deletes: readonly (NodePath | RelationshipPath)[],
    upserted: ReadonlySet<string>,
  ): void =>
    deletes.forEach((path, index) => {
      if (upserted.has(topicOf(path)))
        faults.add(`query.${list}[${index}]`, `${path.text} is both upserted and deleted`);
    });
  check("delete_nodes", writes.deleteNodes, upsertedTopics(writes.upsertNodes));
  check("delete_relationships", writes.deleteRelationships, upsertedTopics(writes.upsertRelationships));
};

/** A knowledge query checked against its policy. */
export interface KnowledgeQuery extends Projection {
  readonly policy: CiqPolicy;
  readonly filter: ResolvedFilter | undefined;
  /** What it writes; undefined for a query that only reads. */
  readonly writes: Writes | undefined;
  /** Raises the time limit of an execution. */
  readonly batchRead: boolean;
  /** What policy and query read from the request together. */
  readonly needs: RequiredInputs;
}

/** The filters of a query's rows: that of its policy first. */
export const rowFilters = ({
  policy,
  filter,
}: Pick<KnowledgeQuery, "policy" | "filter">): readonly Filter[] =>
  [policy.filter?.filter, filter?.filter].flatMap((each) => each ?? []);

const keys = [
  "nodes",
  "relationships",
  "aggregate_values",
  "filter",
  "upsert_nodes",
  "upsert_relationships",
  "delete_nodes",
  "delete_relationships",
  "batch_read",
];
const lists = keys.filter((key) => key !== "filter" && key !== "batch_read");
const writing = ["upsert_nodes", "upsert_relationships", "delete_nodes", "delete_relationships"];

interface Shape {
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
  readonly aggregates: readonly string[];
  readonly filter: RawFilter | undefined;
  readonly upsertNodes: readonly RawNodeUpsert[];
  readonly upsertRelationships: readonly RawRelationshipUpsert[];
  readonly deleteNodes: readonly string[];
  readonly deleteRelationships: readonly string[];
  readonly writes: boolean;
  readonly batchRead: boolean;
}

const isFilled = (query: JsonObject, key: string): boolean => {
  const list = member(query, key);
  return Array.isArray(list) && list.length > 0;
};

/** Stages (a) and (b): the shape of the text, whatever its policy. */
const readShape = (text: string, faults: Faults): Shape | undefined => {
  const json = readJson(text, "query", faults);
  if (json === undefined) return undefined;
  readObject(json, "query", keys, faults);
  const paths = (key: string): readonly string[] => readStrings(member(json, key), `query.${key}`, faults);
  const batchRead = member(json, "batch_read");
  const writes = writing.some((key) => isFilled(json, key));
  if (batchRead !== undefined && typeof batchRead !== "boolean")
    faults.add("query.batch_read", "boolean expected");
  if (batchRead === true && writes)
    faults.add("query.batch_read", "batch_read is for queries that only read");
  const shape = {
    nodes: paths("nodes"),
    relationships: paths("relationships"),
    aggregates: paths("aggregate_values"),
    filter: readFilters(member(json, "filter"), "query.filter", faults),
    upsertNodes: readNodeUpserts(json, faults),
    upsertRelationships: readRelationshipUpserts(json, faults),
    deleteNodes: paths("delete_nodes"),
    deleteRelationships: paths("delete_relationships"),
    writes,
    batchRead: batchRead === true,
  };
  if (faults.none && !lists.some((key) => isFilled(json, key)))
    faults.add("query", "at least one of its lists must have an entry");
  return shape;
};

/** Stages (d) and (e) for what is written. */
const resolveWrites = (shape: Shape, names: UpsertNames, policy: CiqPolicy, faults: Faults): Writes => {
  const { bindings } = policy.condition.analysis;
  return {
    upsertNodes: shape.upsertNodes.flatMap((raw) => names.node(raw) ?? []),
    upsertRelationships: shape.upsertRelationships.flatMap((raw) => names.relationship(raw) ?? []),
    deleteNodes: shape.deleteNodes.flatMap((text, index) => {
      const at = `query.delete_nodes[${index}]`;
      const path = resolveNodePath(text, at, bindings, faults);
      if (path === undefined) return [];
      if (["all-properties", "property-and-metadata", "all-metadata"].includes(path.kind))
        faults.add(at, "a delete names a node, all of it by .*, a property or one metadata key");
      return [path];
    }),
    deleteRelationships: shape.deleteRelationships.flatMap((text, index) => {
      const at = `query.delete_relationships[${index}]`;
      const path = resolveRelationshipPath(text, at, bindings, faults);
      if (path === undefined) return [];
      boundAsOne(path.alias, "relationship", at, bindings, faults);
      return [path];
    }),
  };
};

/** Paths that are named twice count once. */
const distinct = <P extends { readonly text: string }>(paths: readonly P[]): readonly P[] => [
  ...new Map(paths.map((path) => [path.text, path])).values(),
];

/** Stage (f): names that no query writes or deletes, and paths that it would do both to. */
const checkProtected = (writes: Writes, faults: Faults): void => {
  const properties = (
    list: string,
    entries: readonly { readonly properties: readonly PropertyWrite[] }[],
    isProtected: (name: string) => boolean,
  ): void =>
    entries.forEach((entry, index) =>
      entry.properties.forEach(({ name }, at) => {
        if (isProtected(name))
          faults.add(`query.${list}[${index}].properties[${at}].type`, `${name} is protected`);
      }),
    );
  properties("upsert_nodes", writes.upsertNodes, isProtectedOnNode);
  properties("upsert_relationships", writes.upsertRelationships, isProtectedOnRelationship);
  writes.deleteNodes.forEach((path, index) => {
    const fault = nodeDeleteFault(path);
    if (fault !== undefined) faults.add(`query.delete_nodes[${index}]`, fault);
  });
  writes.deleteRelationships.forEach((path, index) => {
    const fault = relationshipDeleteFault(path);
    if (fault !== undefined) faults.add(`query.delete_relationships[${index}]`, fault);
  });
  checkContradictions(writes, faults);
};

const needsOfWrites = ({ upsertNodes, upsertRelationships }: Writes): RequiredInputs => {
  const needs = new RequiredInputs();
  for (const entry of upsertNodes) if (entry.kind === "new") addInputOf(entry.externalId, needs);
  for (const { source, metadata } of [...upsertNodes, ...upsertRelationships].flatMap(
    ({ properties }) => properties,
  )) {
    addInputOf(source, needs);
    for (const each of metadata) addInputOf(each.source, needs);
  }
  return needs;
};

/**
 * Checks the text of a knowledge query against its policy.
 *
 * @param budget what its filter may need for one row of the database.
 * @returns the query, or all faults of the first stage that has some, each beginning with its place
 *   (`query.nodes[2]: w.property.budget is not in allowed_reads.nodes`).
 */
export const compileQuery = (
  text: string,
  policy: CiqPolicy,
  budget = defaultBudget,
): Checked<KnowledgeQuery> => {
  const faults = new Faults();
  const shape = readShape(text, faults);
  if (shape === undefined || !faults.none) return faults.failure();

  const filter = resolveFilter(
    shape.filter,
    { language: "ciq", bindings: policy.condition.analysis.bindings },
    faults,
  );
  const names = new UpsertNames(policy, faults);
  const all = resolveWrites(shape, names, policy, faults);
  const projection: Projection = {
    nodes: resolveNodePaths(shape.nodes, "query.nodes", names.bindings, faults),
    relationships: resolveRelationshipPaths(
      shape.relationships,
      "query.relationships",
      names.bindings,
      faults,
    ),
    aggregates: resolveAggregates(shape.aggregates, "query.aggregate_values", names.bindings, faults),
  };
  if (!faults.none) return faults.failure();

  checkProtected(all, faults);
  if (!faults.none) return faults.failure();

  const writes = shape.writes
    ? {
        ...all,
        deleteNodes: distinct(all.deleteNodes),
        deleteRelationships: distinct(all.deleteRelationships),
      }
    : undefined;
  checkProjection(projection, policy, echoOf(writes), faults);
  checkAllowedWrites(all, policy, faults);
  if (filter !== undefined) checkFilterPaths(filter.filter, policy, faults);
  limitFilter(filter, policy.condition.sizes, budget, faults);
  if (!faults.none) return faults.failure();
  return success({
    policy,
    nodes: distinct(projection.nodes),
    relationships: distinct(projection.relationships),
    aggregates: [...new Set(projection.aggregates)],
    filter,
    writes,
    batchRead: shape.batchRead,
    needs: needsOf(policy.needs, needsOfWrites(all), ...(filter ? [filter.needs] : [])),
  });
};

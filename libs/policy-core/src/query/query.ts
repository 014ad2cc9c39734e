import { Faults, success, type Checked } from "../checked.ts";
import { leavesOf, type Filter, type RowPath } from "../filters/filter.ts";
import { readFilters } from "../filters/read.ts";
import { resolveFilter, type ResolvedFilter } from "../filters/resolve.ts";
import { readJson, type JsonObject } from "../json.ts";
import { mayReadNode, mayReadRelationship } from "../paths/allow.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import { resolveAggregates, resolveNodePaths, resolveRelationshipPaths } from "../policy/allow-lists.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import { member, readArray, readObject, readStrings } from "../shape.ts";
import { needsOf, type Needs } from "../values/needs.ts";

/** A knowledge query checked against its policy (policies specification 8). */
export interface KnowledgeQuery {
  readonly policy: CiqPolicy;
  readonly nodes: readonly NodePath[];
  readonly relationships: readonly RelationshipPath[];
  readonly aggregates: readonly string[];
  readonly filter: ResolvedFilter | undefined;
  /** Raises the time limit of an execution. */
  readonly batchRead: boolean;
  /** What policy and query read from the request together. */
  readonly needs: Needs;
}

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
const writing = ["upsert_nodes", "upsert_relationships", "delete_nodes", "delete_relationships"];

interface Shape {
  readonly json: JsonObject;
  readonly nodes: readonly string[];
  readonly relationships: readonly string[];
  readonly aggregates: readonly string[];
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const readShape = (text: string, faults: Faults): Shape | undefined => {
  const json = readJson(text, "query", faults);
  if (json === undefined) return undefined;
  readObject(json, "query", keys, faults);
  const writes = writing.filter((key) => readArray(member(json, key), `query.${key}`, faults).length > 0);
  for (const key of writes) faults.add(`query.${key}`, "writing queries are not available yet");
  const batchRead = member(json, "batch_read");
  if (batchRead !== undefined && typeof batchRead !== "boolean")
    faults.add("query.batch_read", "boolean expected");
  const shape = {
    json,
    nodes: distinct(readStrings(member(json, "nodes"), "query.nodes", faults)),
    relationships: distinct(readStrings(member(json, "relationships"), "query.relationships", faults)),
    aggregates: distinct(readStrings(member(json, "aggregate_values"), "query.aggregate_values", faults)),
  };
  const asked = shape.nodes.length + shape.relationships.length + shape.aggregates.length + writes.length;
  if (asked === 0 && faults.none) faults.add("query", "at least one of its lists must name something");
  return shape;
};

const rowPaths = (filter: Filter): readonly RowPath[] =>
  leavesOf(filter).flatMap((leaf) =>
    [leaf.attribute, leaf.value].flatMap((operand) =>
      operand === undefined || operand.kind === "literal" || operand.kind === "reference" ? [] : [operand],
    ),
  );

const textOf = (path: RowPath): string => (path.kind === "aggregate" ? path.name : path.path.text);

/** A filter or order by a value that may not be read would tell what it is (README decision 12). */
const checkFilterPaths = (filter: Filter, policy: CiqPolicy, faults: Faults): void => {
  const { reads } = policy.allowed;
  const filteredByPolicy = new Set(
    policy.filter === undefined ? [] : rowPaths(policy.filter.filter).map(textOf),
  );
  for (const path of rowPaths(filter)) {
    const readable =
      path.kind === "aggregate"
        ? reads.aggregates.includes(path.name)
        : path.kind === "node-path"
          ? mayReadNode(reads.nodes, path.path)
          : mayReadRelationship(reads.relationships, path.path);
    if (!readable && !filteredByPolicy.has(textOf(path))) {
      faults.add("query.filter", `${textOf(path)} is neither readable nor filtered on by the policy`);
    }
  }
};

const checkAllowed = <P>(
  paths: readonly P[],
  name: "nodes" | "relationships" | "aggregate_values",
  may: (path: P) => boolean,
  text: (path: P) => string,
  faults: Faults,
): void => {
  paths.forEach((path, index) => {
    if (!may(path)) faults.add(`query.${name}[${index}]`, `${text(path)} is not in allowed_reads.${name}`);
  });
};

/**
 * Checks the text of a knowledge query against its policy.
 *
 * @returns the query, or all faults (`query.nodes[2]: w.property.budget is not in allowed_reads.nodes`).
 */
export const compileQuery = (text: string, policy: CiqPolicy): Checked<KnowledgeQuery> => {
  const faults = new Faults();
  const shape = readShape(text, faults);
  if (shape === undefined) return faults.failure();
  const raw = readFilters(member(shape.json, "filter"), "query.filter", faults);
  if (!faults.none) return faults.failure();

  const { bindings } = policy.condition.analysis;
  const { reads } = policy.allowed;
  const filter = resolveFilter(raw, { language: "ciq", bindings }, faults);
  const nodes = resolveNodePaths(shape.nodes, "query.nodes", bindings, faults);
  const relationships = resolveRelationshipPaths(
    shape.relationships,
    "query.relationships",
    bindings,
    faults,
  );
  const aggregates = resolveAggregates(shape.aggregates, "query.aggregate_values", bindings, faults);
  if (!faults.none) return faults.failure();

  checkAllowed(
    nodes,
    "nodes",
    (path) => mayReadNode(reads.nodes, path),
    (path) => path.text,
    faults,
  );
  const mayReadEdge = (path: RelationshipPath): boolean => mayReadRelationship(reads.relationships, path);
  checkAllowed(relationships, "relationships", mayReadEdge, (path) => path.text, faults);
  checkAllowed(
    aggregates,
    "aggregate_values",
    (name) => reads.aggregates.includes(name),
    (name) => name,
    faults,
  );
  if (filter !== undefined) checkFilterPaths(filter.filter, policy, faults);
  if (!faults.none) return faults.failure();
  return success({
    policy,
    nodes,
    relationships,
    aggregates,
    filter,
    batchRead: member(shape.json, "batch_read") === true,
    needs: needsOf(policy.needs, ...(filter ? [filter.needs] : [])),
  });
};

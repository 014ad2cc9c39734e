import { leavesOf, type Filter, type RowPath } from "../filters/filter.ts";
import type { Faults } from "../json.ts";
import { mayReadNode, mayReadRelationship, mayDeleteNode, mayDeleteRelationship } from "../paths/allow.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import { staticLabels } from "../policy/condition.ts";
import type { Echo } from "./echo.ts";
import type { RelationshipUpsert, Writes } from "./read-upserts.ts";

/** Paths that a filter reads of a row, `@` values included. */
export const rowPaths = (filter: Filter): readonly RowPath[] =>
  leavesOf(filter).flatMap((leaf) =>
    [leaf.attribute, leaf.value].flatMap((operand) =>
      operand !== undefined &&
      (operand.kind === "node-path" || operand.kind === "relationship-path" || operand.kind === "aggregate")
        ? [operand]
        : [],
    ),
  );

/** One name for each path: `a.property.x` and `a.property.x.value` are one path. */
const nameOf = (path: RowPath): string => {
  if (path.kind === "aggregate") return path.name;
  const { alias, text } = path.path;
  return path.kind === "node-path" && path.path.kind === "property"
    ? `${alias}.property.${path.path.name}`
    : text;
};

const textOf = (path: RowPath): string => (path.kind === "aggregate" ? path.name : path.path.text);

/** A filter by a value that may not be read would disclose it. */
export const checkFilterPaths = (filter: Filter, policy: CiqPolicy, faults: Faults): void => {
  const { reads } = policy.allowed;
  const filteredByPolicy = new Set(
    policy.filter === undefined ? [] : rowPaths(policy.filter.filter).map(nameOf),
  );
  for (const path of rowPaths(filter)) {
    const readable =
      path.kind === "aggregate"
        ? reads.aggregates.includes(path.name)
        : path.kind === "node-path"
          ? mayReadNode(reads.nodes, path.path)
          : mayReadRelationship(reads.relationships, path.path);
    if (!readable && !filteredByPolicy.has(nameOf(path))) {
      faults.add("query.filter", `${textOf(path)} is neither readable nor filtered on by the policy`);
    }
  }
};

/** What a query returns. */
export interface Projection {
  readonly nodes: readonly NodePath[];
  readonly relationships: readonly RelationshipPath[];
  readonly aggregates: readonly string[];
}

/** Checks what a query projects against the allow-lists, and against what it wrote itself. */
export const checkProjection = (
  projection: Projection,
  policy: CiqPolicy,
  echo: Echo,
  faults: Faults,
): void => {
  const { reads } = policy.allowed;
  const refuse = (list: string, index: number, text: string): void =>
    faults.add(`query.${list}[${index}]`, `${text} is not in allowed_reads.${list}`);
  projection.nodes.forEach((path, index) => {
    if (!mayReadNode(reads.nodes, path) && !echo.node(path)) refuse("nodes", index, path.text);
  });
  projection.relationships.forEach((path, index) => {
    if (!mayReadRelationship(reads.relationships, path) && !echo.relationship(path))
      refuse("relationships", index, path.text);
  });
  const aggregates = new Set(reads.aggregates);
  projection.aggregates.forEach((name, index) => {
    if (!aggregates.has(name)) refuse("aggregate_values", index, name);
  });
};

type NewRelationship = Extract<RelationshipUpsert, { kind: "new" }>;

/** The labels by which relationship types are allowed: of a new node its type, of an alias those that the text states. */
const labelsOf = (name: string, writes: Writes, policy: CiqPolicy): readonly string[] => {
  const made = writes.upsertNodes.find((entry) => entry.kind === "new" && entry.name === name);
  return made?.kind === "new" ? [made.type] : staticLabels(name, policy.condition, policy.subjectType);
};

const checkTriple = (
  entry: NewRelationship,
  at: string,
  writes: Writes,
  policy: CiqPolicy,
  faults: Faults,
): void => {
  const sources = labelsOf(entry.source, writes, policy);
  const targets = labelsOf(entry.target, writes, policy);
  const unlabelled = (name: string): string => `the pattern gives "${name}" no label`;
  if (sources.length === 0) faults.add(`${at}.source`, unlabelled(entry.source));
  if (targets.length === 0) faults.add(`${at}.target`, unlabelled(entry.target));
  if (sources.length === 0 || targets.length === 0) return;
  const allowed = policy.allowed.upserts.relationshipTypes.some(
    ({ type, source, target }) => type === entry.type && sources.includes(source) && targets.includes(target),
  );
  if (allowed) return;
  const triple = `(${sources.join("&")})-[${entry.type}]->(${targets.join("&")})`;
  faults.add(at, `${triple} is not in allowed_upserts.relationships.relationship_types`);
};

/** Holds what a query writes against the allow-lists of its policy. */
export const checkAllowedWrites = (writes: Writes, policy: CiqPolicy, faults: Faults): void => {
  const { upserts, deletes } = policy.allowed;
  const refuse = (at: string, what: string, list: string): void =>
    faults.add(at, `${what} is not in ${list}`);
  writes.upsertNodes.forEach((entry, index) => {
    if (entry.kind === "new") {
      if (!upserts.nodeTypes.includes(entry.type))
        refuse(`query.upsert_nodes[${index}].type`, entry.type, "allowed_upserts.nodes.node_types");
    } else if (!upserts.existingNodes.includes(entry.name)) {
      refuse(`query.upsert_nodes[${index}].name`, entry.name, "allowed_upserts.nodes.existing_nodes");
    }
  });
  writes.upsertRelationships.forEach((entry, index) => {
    const at = `query.upsert_relationships[${index}]`;
    if (entry.kind === "new") checkTriple(entry, at, writes, policy, faults);
    else if (!upserts.existingRelationships.includes(entry.name))
      refuse(`${at}.name`, entry.name, "allowed_upserts.relationships.existing_relationships");
  });
  writes.deleteNodes.forEach((path, index) => {
    if (!mayDeleteNode(deletes.nodes, path))
      refuse(`query.delete_nodes[${index}]`, path.text, "allowed_deletes.nodes");
  });
  writes.deleteRelationships.forEach((path, index) => {
    if (!mayDeleteRelationship(deletes.relationships, path))
      refuse(`query.delete_relationships[${index}]`, path.text, "allowed_deletes.relationships");
  });
};

import type { Faults } from "../checked.ts";
import { leavesOf, type Filter, type RowPath } from "../filters/filter.ts";
import { mayReadNode, mayReadRelationship } from "../paths/allow.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import type { Echo } from "./echo.ts";

/** Paths that a filter reads of a row, `@` values included (README decision 44). */
export const rowPaths = (filter: Filter): readonly RowPath[] =>
  leavesOf(filter).flatMap((leaf) =>
    [leaf.attribute, leaf.value].flatMap((operand) =>
      operand !== undefined &&
      (operand.kind === "node-path" || operand.kind === "relationship-path" || operand.kind === "aggregate")
        ? [operand]
        : [],
    ),
  );

/** One name for each path, however long its author wrote it. */
const nameOf = (path: RowPath): string => {
  if (path.kind === "aggregate") return path.name;
  const { alias, text } = path.path;
  return path.kind === "node-path" && path.path.kind === "property"
    ? `${alias}.property.${path.path.name}`
    : text;
};

const textOf = (path: RowPath): string => (path.kind === "aggregate" ? path.name : path.path.text);

/** A filter or order by a value that may not be read would tell what it is (README decision 12). */
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

/** What a query asks to see. */
export interface Projection {
  readonly nodes: readonly NodePath[];
  readonly relationships: readonly RelationshipPath[];
  readonly aggregates: readonly string[];
}

/** Holds what a query projects against the allow-lists, and against what it wrote itself (7.4). */
export const checkProjection = (asked: Projection, policy: CiqPolicy, echo: Echo, faults: Faults): void => {
  const { reads } = policy.allowed;
  const refuse = (list: string, index: number, text: string): void =>
    faults.add(`query.${list}[${index}]`, `${text} is not in allowed_reads.${list}`);
  asked.nodes.forEach((path, index) => {
    if (!mayReadNode(reads.nodes, path) && !echo.node(path)) refuse("nodes", index, path.text);
  });
  asked.relationships.forEach((path, index) => {
    if (!mayReadRelationship(reads.relationships, path) && !echo.relationship(path))
      refuse("relationships", index, path.text);
  });
  asked.aggregates.forEach((name, index) => {
    if (!reads.aggregates.includes(name)) refuse("aggregate_values", index, name);
  });
};

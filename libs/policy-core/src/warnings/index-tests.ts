import { metadataField, propertyField, systemFields } from "@ikg/physical";
import type { SemanticInfo } from "../bindings/scope.ts";
import type { Expression, NodePattern } from "../cypher/ast.ts";
import { usedNames } from "../cypher/names.ts";
import type { Leaf } from "../filters/filter.ts";
import type { NodePath } from "../paths/path.ts";

/** A test of a stored value that an index could answer. */
export interface IndexTest {
  readonly alias: string | undefined;
  readonly index: "RANGE" | "TEXT";
  /** Physical key. */
  readonly field: string;
  /** As its author writes it: `property.risk`. */
  readonly path: string;
}

const fieldOf = (path: NodePath): Pick<IndexTest, "field" | "path"> | undefined => {
  if (path.kind === "property") return { field: propertyField(path.name), path: `property.${path.name}` };
  if (path.kind === "metadata")
    return { field: metadataField(path.name, path.key), path: `property.${path.name}.metadata.${path.key}` };
  return undefined;
};

/** The test that `operator` makes of one side, when the other does not depend on the node that is searched for. */
const testOf = (
  side: Expression,
  other: Expression,
  index: IndexTest["index"],
  report: SemanticInfo,
): readonly IndexTest[] => {
  const path = report.paths.get(side);
  if (path?.kind !== "node-path" || path.root.kind !== "variable") return [];
  const field = fieldOf(path.path);
  const alias = path.root.name;
  return field === undefined || usedNames(other).has(alias) ? [] : [{ alias, index, ...field }];
};

/** Tests that a predicate makes of stored values, in either direction. */
export const testsOfPredicate = (predicate: Expression, report: SemanticInfo): readonly IndexTest[] => {
  if (predicate.kind === "binary") {
    const { operator, left, right } = predicate;
    if (operator === "IN" || operator === "STARTS WITH") return testOf(left, right, "RANGE", report);
    return operator === "CONTAINS" || operator === "ENDS WITH" ? testOf(left, right, "TEXT", report) : [];
  }
  if (predicate.kind !== "comparison") return [];
  let left = predicate.first;
  return predicate.rest.flatMap(({ operator, operand }) => {
    const sides = [left, operand] as const;
    left = operand;
    if (operator === "<>") return [];
    return [...testOf(sides[0], sides[1], "RANGE", report), ...testOf(sides[1], sides[0], "RANGE", report)];
  });
};

const systemKeys: ReadonlySet<string> = new Set(systemFields);

/** Tests that the map of a node makes. */
export const testsOfMap = ({ variable, properties }: NodePattern): readonly IndexTest[] =>
  (properties?.entries ?? []).flatMap(({ key }) =>
    systemKeys.has(key)
      ? []
      : [{ alias: variable, index: "RANGE", field: propertyField(key), path: `property.${key}` }],
  );

/** The test of a filter leaf; those that are printed as a CASE, to be safe with values of any kind, use no index. */
export const testOfLeaf = ({ operator, attribute, value, compares }: Leaf): IndexTest | undefined => {
  if (attribute.kind !== "node-path" || value === undefined || compares === "instants") return undefined;
  const field = fieldOf(attribute.path);
  if (field === undefined) return undefined;
  const { alias } = attribute.path;
  const literal = value.kind === "literal";
  switch (operator) {
    case "=":
    case "STARTS WITH":
      return { alias, index: "RANGE", ...field };
    case "<":
    case "<=":
    case ">":
    case ">=":
      return literal ? { alias, index: "RANGE", ...field } : undefined;
    case "ENDS WITH":
      return { alias, index: "TEXT", ...field };
    default:
      return undefined;
  }
};

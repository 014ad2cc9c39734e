import { metadataField, propertyField } from "@ikg/physical";
import type { AnalysisReport } from "../bindings/scope.ts";
import type { BinaryOperator, ComparisonOperator, Expression, NodePattern } from "../cypher/ast.ts";
import { usedNames } from "../cypher/names.ts";
import type { Leaf } from "../filters/filter.ts";
import { leafRules } from "../filters/leaf-operators.ts";
import { isMapSystemKey, type NodePath } from "../paths/path.ts";

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
  report: AnalysisReport,
): readonly IndexTest[] => {
  const path = report.paths.get(side);
  if (path?.kind !== "node-path" || path.root.kind !== "variable") return [];
  const field = fieldOf(path.path);
  const alias = path.root.name;
  return field === undefined || usedNames(other).has(alias) ? [] : [{ alias, index, ...field }];
};

/** The index that can answer `stored value operator value`; of the other binary operators none can. */
const binaryIndexes: Readonly<Record<BinaryOperator, IndexTest["index"] | undefined>> = {
  IN: "RANGE",
  "STARTS WITH": "RANGE",
  "ENDS WITH": "TEXT",
  CONTAINS: "TEXT",
  "=~": undefined,
  OR: undefined,
  XOR: undefined,
  AND: undefined,
  "+": undefined,
  "-": undefined,
  "||": undefined,
  "*": undefined,
  "/": undefined,
  "%": undefined,
  "^": undefined,
};

const comparisonIndexes: Readonly<Record<ComparisonOperator, IndexTest["index"] | undefined>> = {
  "=": "RANGE",
  "<>": undefined,
  "<": "RANGE",
  "<=": "RANGE",
  ">": "RANGE",
  ">=": "RANGE",
};

/** Tests that a predicate makes of stored values, in either direction. */
export const testsOfPredicate = (predicate: Expression, report: AnalysisReport): readonly IndexTest[] => {
  if (predicate.kind === "binary") {
    const { operator, left, right } = predicate;
    const index = binaryIndexes[operator];
    return index === undefined ? [] : testOf(left, right, index, report);
  }
  if (predicate.kind !== "comparison") return [];
  let left = predicate.first;
  return predicate.rest.flatMap(({ operator, operand }) => {
    const sides = [left, operand] as const;
    left = operand;
    const index = comparisonIndexes[operator];
    if (index === undefined) return [];
    return [...testOf(sides[0], sides[1], index, report), ...testOf(sides[1], sides[0], index, report)];
  });
};

/** Tests that the map of a node makes. */
export const testsOfMap = ({ variable, properties }: NodePattern): readonly IndexTest[] =>
  (properties?.entries ?? []).flatMap(({ key }) =>
    isMapSystemKey(key)
      ? []
      : [{ alias: variable, index: "RANGE", field: propertyField(key), path: `property.${key}` }],
  );

/** The test of a filter leaf that an index can answer. */
export const testOfLeaf = ({ operator, attribute, value, compares }: Leaf): IndexTest | undefined => {
  if (attribute.kind !== "node-path" || value === undefined || compares === "instants") return undefined;
  const field = fieldOf(attribute.path);
  if (field === undefined) return undefined;
  const { index } = leafRules[operator];
  if (index === undefined || (index.only === "literals" && value.kind !== "literal")) return undefined;
  return { alias: attribute.path.alias, index: index.kind, ...field };
};

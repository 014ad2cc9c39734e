import type { LabelExpression } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import { leavesOf, type Filter } from "../filters/filter.ts";
import { isMapSystemKey, type NodePath } from "../paths/path.ts";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { aliasLabels, endTypes, labelOf, type GraphSchema } from "./context.ts";
import { nearName } from "./near.ts";
import { inCypher, type Warning, type WarningCode } from "./warning.ts";

const suggestion = (near: string | undefined): string =>
  near === undefined ? "" : `; did you mean "${near}"?`;

/** Names of the platform's own nodes and relationships, which are in no schema. */
const isPlatformName = (name: string): boolean => name.startsWith("_");

const labelNames = (label: LabelExpression): readonly { readonly name: string; readonly at: number }[] =>
  [...nodesOf(label)].flatMap((node) => (node.kind === "label" && !isPlatformName(node.name) ? [node] : []));

const unknownType = (name: string, { nodeTypes }: GraphSchema): string | undefined =>
  nodeTypes.has(name) || isPlatformName(name)
    ? undefined
    : `the graph holds no node of type "${name}"${suggestion(nearName(name, nodeTypes.keys()))}`;

const unknownRelationship = (name: string, { relationshipTypes }: GraphSchema): string | undefined =>
  relationshipTypes.has(name)
    ? undefined
    : `the graph holds no relationship of type "${name}"${suggestion(nearName(name, relationshipTypes))}`;

/** A property that no node of the type holds, or, for an alias of several types, no node at all. */
const unknownProperty = (
  name: string,
  type: string | undefined,
  { nodeTypes }: GraphSchema,
): string | undefined => {
  const known = type === undefined ? undefined : nodeTypes.get(type)?.properties;
  if (type !== undefined && known === undefined) return undefined;
  const names = known ?? new Set([...nodeTypes.values()].flatMap(({ properties }) => [...properties]));
  return names.has(name)
    ? undefined
    : `no ${type ?? "node"} of the graph has a property "${name}"${suggestion(nearName(name, names))}`;
};

const propertyOf = (path: NodePath): string | undefined =>
  path.kind === "property" || path.kind === "metadata" ? path.name : undefined;

const labelsInCypher = (policy: Policy, schema: GraphSchema): readonly Warning[] => {
  const { query, analysis, text } = policy.condition;
  const found: Warning[] = [];
  const check = (
    label: LabelExpression | undefined,
    code: WarningCode,
    fault: (name: string, schema: GraphSchema) => string | undefined,
  ): void => {
    for (const { name, at } of label === undefined ? [] : labelNames(label)) {
      const reason = fault(name, schema);
      if (reason !== undefined) found.push(inCypher(code, reason, text, at));
    }
  };
  for (const node of nodesOf(query)) {
    if (node.kind === "node") check(node.label, "unknown-label", unknownType);
    else if (node.kind === "relationship")
      check(node.label, "unknown-relationship-type", unknownRelationship);
    else if (node.kind === "label-test") {
      if (analysis.report.labelTests.get(node) === "relationship")
        check(node.label, "unknown-relationship-type", unknownRelationship);
      else check(node.label, "unknown-label", unknownType);
    }
  }
  return found;
};

const propertiesInCypher = (policy: Policy, schema: GraphSchema): readonly Warning[] => {
  const { analysis, query, text } = policy.condition;
  const labels = aliasLabels(policy);
  const found: Warning[] = [];
  const check = (name: string, type: string | undefined, at: number): void => {
    const reason = unknownProperty(name, type, schema);
    if (reason !== undefined) found.push(inCypher("unknown-property", reason, text, at));
  };
  for (const [expression, { kind, root, path }] of analysis.report.paths) {
    const name = kind === "node-path" ? propertyOf(path) : undefined;
    if (name !== undefined)
      check(name, root.kind === "variable" ? labels.get(root.name) : undefined, expression.at);
  }
  for (const node of nodesOf(query)) {
    if (node.kind !== "node") continue;
    for (const { key, at } of node.properties?.entries ?? []) {
      if (!isMapSystemKey(key)) check(key, labelOf(node, policy), at);
    }
  }
  return found;
};

const propertiesInFilter = (
  filter: Filter | undefined,
  policy: Policy,
  schema: GraphSchema,
): readonly Warning[] => {
  const labels = aliasLabels(policy);
  return (filter === undefined ? [] : leavesOf(filter)).flatMap(({ path, attribute, value }) =>
    [attribute, value].flatMap((operand): readonly Warning[] => {
      const name = operand?.kind === "node-path" ? propertyOf(operand.path) : undefined;
      if (name === undefined || operand?.kind !== "node-path") return [];
      const reason = unknownProperty(name, labels.get(operand.path.alias), schema);
      return reason === undefined ? [] : [{ code: "unknown-property", text: reason, path }];
    }),
  );
};

/** Names of a policy that the graph does not hold. */
export const unknownNames = (policy: Policy, schema: GraphSchema): readonly Warning[] => [
  ...[...endTypes(policy)].flatMap(([end, type]): readonly Warning[] => {
    const reason = unknownType(type, schema);
    return reason === undefined ? [] : [{ code: "unknown-label", text: reason, path: `policy.${end}.type` }];
  }),
  ...labelsInCypher(policy, schema),
  ...propertiesInCypher(policy, schema),
  ...(policy.kind === "ciq" ? propertiesInFilter(policy.filter?.filter, policy, schema) : []),
];

/** Names of a query that the graph does not hold. */
export const unknownNamesOfQuery = (query: KnowledgeQuery, schema: GraphSchema): readonly Warning[] => {
  const labels = aliasLabels(query.policy);
  const { bindings } = query.policy.condition.analysis;
  return [
    ...propertiesInFilter(query.filter?.filter, query.policy, schema),
    ...query.nodes.flatMap((path, index): readonly Warning[] => {
      const name = propertyOf(path);
      // A query may read what it writes to a node of its own.
      if (name === undefined || !bindings.has(path.alias)) return [];
      const reason = unknownProperty(name, labels.get(path.alias), schema);
      return reason === undefined
        ? []
        : [{ code: "unknown-property", text: reason, path: `query.nodes[${index}]` }];
    }),
  ];
};

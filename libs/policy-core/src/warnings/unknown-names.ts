import type { LabelExpression } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import { leavesOf, type Filter } from "../filters/filter.ts";
import { isMapSystemKey, type NodePath } from "../paths/path.ts";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { aliasLabels, endTypes, labelOf, type GraphSchema } from "./context.ts";
import { nearName } from "./near.ts";
import { inCypher, type Warning } from "./warning.ts";

/** Most pairs of letters that one check compares for its suggestions; further warnings have none. */
const maxCompared = 20_000_000;

/** Comparing two names takes as long as if each had so many letters more. */
const lettersOfOverhead = 4;

/** Names of the platform's own nodes and relationships, which are in no schema. */
const isPlatformName = (name: string): boolean => name.startsWith("_");

const labelNames = (label: LabelExpression): readonly { readonly name: string; readonly at: number }[] =>
  [...nodesOf(label)].flatMap((node) => (node.kind === "label" && !isPlatformName(node.name) ? [node] : []));

/** Compares the names of one text with those of the graph; each method returns what is wrong with a name. */
class NameCheck {
  readonly #schema: GraphSchema;
  #compared = 0;
  #allProperties: ReadonlySet<string> | undefined;

  constructor(schema: GraphSchema) {
    this.#schema = schema;
  }

  type(name: string): string | undefined {
    const { nodeTypes } = this.#schema;
    return nodeTypes.has(name) || isPlatformName(name)
      ? undefined
      : `the graph holds no node of type "${name}"${this.#suggestion(name, nodeTypes)}`;
  }

  relationshipType(name: string): string | undefined {
    const { relationshipTypes } = this.#schema;
    return relationshipTypes.has(name)
      ? undefined
      : `the graph holds no relationship of type "${name}"${this.#suggestion(name, relationshipTypes)}`;
  }

  /** A property that no node of the type holds, or, for an alias of several types, no node at all. */
  property(name: string, type: string | undefined): string | undefined {
    const known = type === undefined ? this.#everyProperty() : this.#schema.nodeTypes.get(type)?.properties;
    return known === undefined || known.has(name)
      ? undefined
      : `no ${type ?? "node"} of the graph has a property "${name}"${this.#suggestion(name, known)}`;
  }

  #everyProperty(): ReadonlySet<string> {
    if (this.#allProperties !== undefined) return this.#allProperties;
    const all = new Set<string>();
    for (const { properties } of this.#schema.nodeTypes.values()) {
      for (const name of properties) all.add(name);
    }
    this.#allProperties = all;
    return all;
  }

  #suggestion(name: string, known: ReadonlySet<string> | ReadonlyMap<string, unknown>): string {
    // Only names of about the same length are compared.
    this.#compared += known.size * (name.length + lettersOfOverhead) ** 2;
    const near = this.#compared > maxCompared ? undefined : nearName(name, known.keys());
    return near === undefined ? "" : `; did you mean "${near}"?`;
  }
}

const propertyOf = (path: NodePath): string | undefined =>
  path.kind === "property" || path.kind === "metadata" ? path.name : undefined;

const labelsInCypher = (policy: Policy, names: NameCheck): readonly Warning[] => {
  const { query, analysis, text } = policy.condition;
  const found: Warning[] = [];
  const check = (label: LabelExpression | undefined, of: "node" | "relationship"): void => {
    const code = of === "node" ? "unknown-label" : "unknown-relationship-type";
    for (const { name, at } of label === undefined ? [] : labelNames(label)) {
      const reason = of === "node" ? names.type(name) : names.relationshipType(name);
      if (reason !== undefined) found.push(inCypher(code, reason, text, at));
    }
  };
  for (const node of nodesOf(query)) {
    if (node.kind === "node" || node.kind === "relationship") check(node.label, node.kind);
    else if (node.kind === "label-test") {
      check(node.label, analysis.report.labelTests.get(node) === "relationship" ? "relationship" : "node");
    }
  }
  return found;
};

const propertiesInCypher = (policy: Policy, names: NameCheck): readonly Warning[] => {
  const { analysis, query, text } = policy.condition;
  const labels = aliasLabels(policy);
  const found: Warning[] = [];
  const check = (name: string, type: string | undefined, at: number): void => {
    const reason = names.property(name, type);
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
  names: NameCheck,
): readonly Warning[] => {
  const labels = aliasLabels(policy);
  return (filter === undefined ? [] : leavesOf(filter)).flatMap(({ path, attribute, value }) =>
    [attribute, value].flatMap((operand): readonly Warning[] => {
      const name = operand?.kind === "node-path" ? propertyOf(operand.path) : undefined;
      if (name === undefined || operand?.kind !== "node-path") return [];
      const reason = names.property(name, labels.get(operand.path.alias));
      return reason === undefined ? [] : [{ code: "unknown-property", text: reason, path }];
    }),
  );
};

/** Names of a policy that the graph does not hold. */
export const unknownNames = (policy: Policy, schema: GraphSchema): readonly Warning[] => {
  const names = new NameCheck(schema);
  return [
    ...[...endTypes(policy)].flatMap(([end, type]): readonly Warning[] => {
      const reason = names.type(type);
      return reason === undefined
        ? []
        : [{ code: "unknown-label", text: reason, path: `policy.${end}.type` }];
    }),
    ...labelsInCypher(policy, names),
    ...propertiesInCypher(policy, names),
    ...(policy.kind === "ciq" ? propertiesInFilter(policy.filter?.filter, policy, names) : []),
  ];
};

/** Names of a query that the graph does not hold. */
export const unknownNamesOfQuery = (query: KnowledgeQuery, schema: GraphSchema): readonly Warning[] => {
  const names = new NameCheck(schema);
  const labels = aliasLabels(query.policy);
  const { bindings } = query.policy.condition.analysis;
  return [
    ...propertiesInFilter(query.filter?.filter, query.policy, names),
    ...query.nodes.flatMap((path, index): readonly Warning[] => {
      const name = propertyOf(path);
      // A query may read what it writes to a node of its own.
      if (name === undefined || !bindings.has(path.alias)) return [];
      const reason = names.property(name, labels.get(path.alias));
      return reason === undefined
        ? []
        : [{ code: "unknown-property", text: reason, path: `query.nodes[${index}]` }];
    }),
  ];
};

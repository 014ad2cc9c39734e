import {
  keyField,
  keyPrefix,
  propertyField,
  relationshipField,
  systemFields,
  type ProjectKey,
} from "@ikg/physical";
import type { Report } from "../bindings/report.ts";
import type {
  Expression,
  MapEntry,
  MapLiteral,
  NodePattern,
  Parameter,
  PathLength,
  Property,
  Query,
  RelationshipPattern,
} from "../cypher/ast.ts";
import { type Inner, mapTree } from "../cypher/map.ts";
import { concat, text } from "./build.ts";
import { guardedLabel, keyed, ofType, physicalLabel } from "./labels.ts";
import { physicalNodePath, physicalRelationshipPath } from "./paths.ts";
import { physicalReference, type ValueForm } from "./values.ts";

/** Hops of a variable length that its author left open (policies specification 5.3). */
export const openLength = 10;

/** How a text is turned into what runs in one project. */
export interface RewriteOptions {
  readonly pk: ProjectKey;
  readonly form: ValueForm;
  /** Names that the statement binds before the text begins. */
  readonly bound: ReadonlySet<string>;
  /** The types of `subject` and `resource`, for patterns that name them without a label. */
  readonly types: ReadonlyMap<string, string>;
  /** External ids that filters demand of an alias, pushed into the pattern that binds it. */
  readonly keys: ReadonlyMap<string, Expression>;
}

const systemKeys: ReadonlySet<string> = new Set(systemFields);

const nodeFieldOf = (key: string): string => (systemKeys.has(key) ? key : propertyField(key));

/** Entries of a pattern's map under their physical keys. */
const entriesOf = (
  properties: MapLiteral | undefined,
  field: (key: string) => string,
  inner: Inner,
): readonly MapEntry[] =>
  (properties?.entries ?? []).map((entry) => ({
    ...entry,
    key: field(entry.key),
    value: inner.map(entry.value),
  }));

const mapOf = (entries: readonly MapEntry[], at: number): { readonly properties?: MapLiteral } =>
  entries.length === 0 ? {} : { properties: { kind: "map", entries, at } };

const whereOf = (where: Expression | undefined, inner: Inner): { readonly where?: Expression } =>
  where === undefined ? {} : { where: inner.map(where) };

/** The type of the nodes that a binding pattern finds, where it is one plain label or an end without a label. */
const typeOf = (
  pattern: NodePattern,
  alias: string | undefined,
  types: RewriteOptions["types"],
): string | undefined =>
  pattern.label?.kind === "label"
    ? pattern.label.name
    : pattern.label === undefined && alias !== undefined
      ? types.get(alias)
      : undefined;

const rewriteNode = (
  pattern: NodePattern,
  report: Report,
  options: RewriteOptions,
  inner: Inner,
): NodePattern => {
  const { pk, bound, types, keys } = options;
  const { label: authored, properties, where, ...rest } = pattern;
  const entries = entriesOf(properties, nodeFieldOf, inner);
  const binder = report.binders.get(pattern);
  const binds = pattern.variable === undefined || (binder !== undefined && !bound.has(binder.alias));
  if (!binds) {
    const label = authored && physicalLabel(authored, pk);
    return { ...rest, ...(label ? { label } : {}), ...mapOf(entries, pattern.at), ...whereOf(where, inner) };
  }
  const type = typeOf(pattern, binder?.alias, types);
  // A name of a subquery is another node than the one that the filter means.
  const pushed = binder?.depth === 0 ? keys.get(binder.alias) : undefined;
  const externalId = entries.find((entry) => entry.key === "external_id")?.value ?? pushed;
  const plain = authored === undefined && type !== undefined ? ofType(type, pk) : guardedLabel(authored, pk);
  if (type === undefined || externalId === undefined) {
    return { ...rest, label: plain, ...mapOf(entries, pattern.at), ...whereOf(where, inner) };
  }
  const key: MapEntry = {
    kind: "entry",
    key: keyField,
    value: concat(text(keyPrefix(pk, type)), externalId),
    at: pattern.at,
  };
  return { ...rest, label: keyed(plain), ...mapOf([...entries, key], pattern.at), ...whereOf(where, inner) };
};

const rewriteRelationship = (pattern: RelationshipPattern, inner: Inner): RelationshipPattern => {
  const { properties, where, length, ...rest } = pattern;
  return {
    ...rest,
    ...(length === undefined ? {} : { length: capped(length) }),
    ...mapOf(entriesOf(properties, relationshipField, inner), pattern.at),
    ...whereOf(where, inner),
  };
};

const capped = (length: PathLength): PathLength =>
  length.max === undefined ? { ...length, max: Math.max(openLength, length.min ?? 0) } : length;

/**
 * The tree of an author's text as it is stored: physical labels and keys, values by reference, and a label of
 * the project on every node pattern that binds (physical model, sections 8 and 9).
 */
export const rewrite = (query: Query, report: Report, options: RewriteOptions): Query => {
  const reference = (node: Parameter | Property): Expression | undefined => {
    const found = report.references.get(node);
    return found && physicalReference(found, options.form);
  };
  return mapTree(query, {
    parameter: reference,
    property: (node, inner) => {
      const path = report.paths.get(node);
      if (path === undefined) return reference(node);
      const root = inner.map(path.root);
      return path.kind === "node-path"
        ? physicalNodePath(root, path.path, options.pk)
        : physicalRelationshipPath(root, path.path);
    },
    "label-test": (node, inner) =>
      report.labelTests.get(node) === "node"
        ? { ...node, target: inner.map(node.target), label: physicalLabel(node.label, options.pk) }
        : undefined,
    node: (node, inner) => rewriteNode(node, report, options, inner),
    relationship: (node, inner) => rewriteRelationship(node, inner),
  });
};

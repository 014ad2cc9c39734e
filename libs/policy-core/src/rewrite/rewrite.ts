import { keyField, keyPrefix, propertyField, relationshipField, type ProjectKey } from "@ikg/physical";
import type { AnalysisReport } from "../bindings/scope.ts";
import type {
  Clause,
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
import { type Rewriter, mapTree } from "../cypher/map.ts";
import { isMapSystemKey } from "../paths/path.ts";
import { collectedOperands, withinCollected } from "./collected.ts";
import { rewriteCall, rewriteReturn, rewriteUse } from "./calls.ts";
import { concat, text, trueLiteral } from "./build.ts";
import { guardedLabel, withKeyLabel, ofType, physicalLabel } from "./labels.ts";
import { rewriteRegex, physicalReference, rowName, type RowSource } from "./values.ts";
import { physicalNodePath, physicalRelationshipPath } from "./paths.ts";

/** Hops of a variable length that its author left open. */
export const openLength = 10;

/** How a text is turned into what runs in one project. */
export interface RewriteOptions {
  readonly pk: ProjectKey;
  readonly rowSource: RowSource;
  /** Names that the statement binds before the text begins. */
  readonly bound: ReadonlySet<string>;
  /** The types of `subject` and `resource`, for patterns that name them without a label. */
  readonly types: ReadonlyMap<string, string>;
  /** External ids that filters demand of an alias, pushed into the pattern that binds it. */
  readonly keys: ReadonlyMap<string, Expression>;
  /** Values under physical keys that filters demand of an alias, pushed likewise. */
  readonly entries?: ReadonlyMap<string, readonly MapEntry[]>;
  /** Whole keys of `subject` and `resource`, put into every pattern that binds them, in each scope. */
  readonly pins?: ReadonlyMap<string, Expression>;
  /** Names of the statement that the pins read, so that every CALL has to import them. */
  readonly carried?: readonly string[];
  /** Whether every `subject` must be an identity node. */
  readonly identity?: boolean;
  /** Whether the text runs in a composite database; elsewhere it is sent to the one database that it means. */
  readonly composite?: boolean;
}

const nodeFieldOf = (key: string): string => (isMapSystemKey(key) ? key : propertyField(key));

/** Entries of a pattern's map under their physical keys. */
const entriesOf = (
  properties: MapLiteral | undefined,
  field: (key: string) => string,
  inner: Rewriter,
): readonly MapEntry[] =>
  (properties?.entries ?? []).map((entry) => ({
    ...entry,
    key: field(entry.key),
    value: inner.map(entry.value),
  }));

const mapOf = (entries: readonly MapEntry[], at: number): { readonly properties?: MapLiteral } =>
  entries.length === 0 ? {} : { properties: { kind: "map", entries, at } };

const whereOf = (where: Expression | undefined, inner: Rewriter): { readonly where?: Expression } =>
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

const entryOf = (key: string, value: Expression): MapEntry => ({ kind: "entry", key, value, at: value.at });

const rewriteNode = (
  pattern: NodePattern,
  report: AnalysisReport,
  options: RewriteOptions,
  inner: Rewriter,
): NodePattern => {
  const { pk, bound, types, keys, pins, identity } = options;
  const { label: authored, properties, where, ...rest } = pattern;
  const entries = entriesOf(properties, nodeFieldOf, inner);
  const binder = report.binders.get(pattern);
  const isBound =
    binder === undefined
      ? report.rebound.has(pattern)
      : !binder.isolatedScope && binder.beforeFirstWith && bound.has(binder.alias);
  if (isBound) {
    const label = authored && physicalLabel(authored, pk);
    return { ...rest, ...(label ? { label } : {}), ...mapOf(entries, pattern.at), ...whereOf(where, inner) };
  }
  const type = typeOf(pattern, binder?.alias, types);
  // A name of a subquery is another node than the one that the filter means.
  const pushed = binder?.depth === 0 ? keys.get(binder.alias) : undefined;
  const externalId = entries.find((entry) => entry.key === "external_id")?.value ?? pushed;
  const pin = binder && pins?.get(binder.alias);
  const key =
    pin ??
    (type === undefined || externalId === undefined
      ? undefined
      : concat(text(keyPrefix(pk, type)), externalId));
  const label = authored === undefined && type !== undefined ? ofType(type, pk) : guardedLabel(authored, pk);
  const demanded = binder?.depth === 0 ? (options.entries?.get(binder.alias) ?? []) : [];
  const added = [
    ...(key === undefined ? [] : [entryOf(keyField, key)]),
    // A map names a key once: the author's own entry takes precedence.
    ...demanded.filter((entry) => !entries.some((authoredEntry) => authoredEntry.key === entry.key)),
    ...(identity === true && binder?.alias === "subject" ? [entryOf("is_identity", trueLiteral)] : []),
  ];
  return {
    ...rest,
    label: key === undefined ? label : withKeyLabel(label),
    ...mapOf([...entries, ...added], pattern.at),
    ...whereOf(where, inner),
  };
};

const rewriteRelationship = (pattern: RelationshipPattern, inner: Rewriter): RelationshipPattern => {
  const { properties, where, length, ...rest } = pattern;
  return {
    ...rest,
    ...(length === undefined ? {} : { length: capLength(length) }),
    ...mapOf(entriesOf(properties, relationshipField, inner), pattern.at),
    ...whereOf(where, inner),
  };
};

const capLength = (length: PathLength): PathLength =>
  length.max === undefined ? { ...length, max: Math.max(openLength, length.min ?? 0) } : length;

/**
 * The tree of an author's text as it is stored: physical labels and keys, values by reference, and a label of
 * the project on every node pattern that binds.
 */
export const rewrite = (query: Query, report: AnalysisReport, options: RewriteOptions): Query => {
  const reference = (node: Parameter | Property): Expression | undefined => {
    const found = report.references.get(node);
    return found && physicalReference(found, options.rowSource);
  };
  const operands = collectedOperands(query);
  const ifOperand = (node: Expression, inner: Rewriter): Expression | undefined =>
    operands.has(node) ? withinCollected(inner.rebuild(node)) : undefined;
  const carried = [...(options.rowSource === "row" ? [rowName] : []), ...(options.carried ?? [])];
  return mapTree(query, {
    parameter: reference,
    variable: ifOperand,
    function: ifOperand,
    slice: ifOperand,
    "pattern-comprehension": ifOperand,
    property: (node, inner) => {
      const path = report.paths.get(node);
      if (path === undefined) return reference(node);
      const root = inner.map(path.root);
      return path.kind === "node-path"
        ? physicalNodePath(root, path.path, options.pk)
        : physicalRelationshipPath(root, path.path);
    },
    binary: (node, inner) => rewriteRegex(node, report, options.rowSource, inner),
    "label-test": (node, inner) =>
      report.labelTests.get(node) === "node"
        ? { ...node, target: inner.map(node.target), label: physicalLabel(node.label, options.pk) }
        : undefined,
    query: (node, inner) => {
      const kept =
        options.composite === true ? node.clauses : node.clauses.filter(({ kind }) => kind !== "use");
      return { ...node, clauses: kept.map((clause): Clause => inner.map(clause)) };
    },
    use: (node) => rewriteUse(node),
    call: (node, inner) => rewriteCall(node, report, carried, inner),
    return: (node, inner) => rewriteReturn(node, report, inner),
    node: (node, inner) => rewriteNode(node, report, options, inner),
    relationship: (node, inner) => rewriteRelationship(node, inner),
  });
};

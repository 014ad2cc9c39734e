import { stepText } from "./author.ts";
import type { GraphSpec, InputsSpec, Stored } from "./model.ts";
import { readRows } from "./outcome.ts";
import type { ProjectionSpec } from "./policy.ts";
import { isEdge, isList, isNode, show, type Value, type WorldEdge } from "./values.ts";
import { keyOf, worldOf } from "./world.ts";
import {
  type DeleteSpec,
  type EdgeUpsertSpec,
  givenValue,
  type NodeUpsertSpec,
  type PropertySet,
  type WriteSpec,
} from "./write-spec.ts";

/** A property as it is stored: a value or the name of a resolver, and what describes it. */
export interface PropertyState {
  value?: Stored | undefined;
  external?: string | undefined;
  readonly metadata: Map<string, Stored>;
}

export interface NodeState {
  readonly labels: Set<string>;
  identity: boolean;
  readonly properties: Map<string, PropertyState>;
}

/** Ends are `Type/id`. */
export interface EdgeState {
  readonly source: string;
  readonly type: string;
  readonly target: string;
  readonly properties: Map<string, Stored>;
}

/** A whole graph that can be written to. */
export interface GraphState {
  readonly nodes: Map<string, NodeState>;
  readonly edges: Set<EdgeState>;
}

/** What an execution must answer and leave behind, and what its aliases stood for. */
export interface WriteOutcome {
  readonly rows: readonly string[];
  readonly before: GraphState;
  readonly after: GraphState;
  /** Keys of nodes by alias. */
  readonly nodes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Relationships of `before` by alias. */
  readonly edges: ReadonlyMap<string, ReadonlySet<EdgeState>>;
}

/** One relationship of each type between two nodes, as capture keeps it. */
export const withoutParallels = (graph: GraphSpec): GraphSpec => {
  const seen = new Set<string>();
  return {
    ...graph,
    edges: graph.edges.filter(({ source, type, target }) => {
      const triple = JSON.stringify([source, type, target]);
      return !seen.has(triple) && seen.add(triple);
    }),
  };
};

const stateOf = (graph: GraphSpec): GraphState & { readonly listed: readonly EdgeState[] } => {
  const nodes = new Map(
    graph.nodes.map((node): [string, NodeState] => [
      keyOf(node),
      {
        labels: new Set(node.labels),
        identity: false,
        properties: new Map(
          Object.entries(node.properties).map(([name, { value, metadata }]) => [
            name,
            { value, metadata: new Map(Object.entries(metadata ?? {})) },
          ]),
        ),
      },
    ]),
  );
  const listed = graph.edges
    .filter(({ source, target }) => nodes.has(source) && nodes.has(target))
    .map(({ source, type, target, properties }): EdgeState => {
      return { source, type, target, properties: new Map(Object.entries(properties)) };
    });
  return { nodes, edges: new Set(listed), listed };
};

const unordered = (texts: readonly string[]): string => `[${texts.toSorted().join(",")}]`;

/** A projected value as text; lists lose their order, because collected ones have none. */
const textOf = (value: Value): string => {
  if (isList(value)) return unordered(value.map(textOf));
  if (isNode(value)) return `node ${value.type}/${show(value.externalId)}`;
  if (isEdge(value)) return `edge ${show(value.properties.get("w") ?? null)}`;
  return JSON.stringify(typeof value === "bigint" ? Number(value) : value);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same of a value of an answer, where nodes and relationships are whole objects. */
export const answeredText = (value: unknown): string => {
  if (Array.isArray(value)) return unordered(value.map(answeredText));
  if (isRecord(value) && isRecord(value["Props"])) {
    const props = value["Props"];
    return "Labels" in value
      ? `node ${String(props["type"])}/${String(props["external_id"])}`
      : `edge ${String(props["w"])}`;
  }
  return JSON.stringify(value ?? null);
};

/** A row as one text: what stands under each path, by path. */
const rowText = (entries: readonly (readonly [string, string])[]): string =>
  [...new Map(entries)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${path}: ${text}`)
    .join(" | ");

/** A row of an answer as one text. */
export const answeredRow = (row: object): string =>
  rowText(
    Object.values(row)
      .flatMap((part: unknown) => (isRecord(part) ? Object.entries(part) : []))
      .map(([path, value]) => [path, answeredText(value)] as const),
  );

type Bound = ReadonlyMap<string, Value>;

/** Every name that a write or a projection reads of a row. */
const namesOf = (spec: WriteSpec): readonly string[] => [
  ...new Set([
    ...spec.base.projections.map(({ alias }) => alias),
    ...spec.upsertNodes.map(({ name }) => name),
    ...spec.upsertEdges.flatMap((entry) =>
      entry.kind === "new" ? [entry.source, entry.target] : [entry.name],
    ),
    ...[...spec.deleteNodes, ...spec.deleteEdges].map(({ alias }) => alias),
  ]),
];

/** Carries out a writing query on a graph of its own. */
export const writeOutcome = (spec: WriteSpec, graph: GraphSpec, given: InputsSpec): WriteOutcome => {
  const world = worldOf(graph);
  const names = namesOf(spec);
  const values = readRows(
    { ...spec.base, projections: names.map((alias) => ({ kind: "value", alias })) },
    world,
    given,
  );
  const rows: readonly Bound[] = values.map(
    (row) => new Map(names.map((name, index) => [name, row[index] ?? null])),
  );
  const before = stateOf(graph);
  const after = stateOf(graph);
  // The world lists its relationships as the graph does.
  const edgesOf = (state: typeof before) =>
    new Map<WorldEdge, EdgeState>(
      world.edges.flatMap((edge, index) => {
        const found = state.listed[index];
        return found === undefined ? [] : [[edge, found]];
      }),
    );
  const [wereEdges, areEdges] = [edgesOf(before), edgesOf(after)];
  const value = (from: Parameters<typeof givenValue>[0]): Stored | null =>
    givenValue(from, given.params, given.token);

  const made = new Map<string, string>();
  if (rows.length > 0)
    for (const entry of spec.upsertNodes)
      if (entry.kind === "new") made.set(entry.name, `${entry.type}/${String(value(entry.externalId))}`);
  const keyIn = (name: string, row: Bound): string | undefined => {
    const key = made.get(name);
    if (key !== undefined) return key;
    const node = row.get(name) ?? null;
    return isNode(node) ? `${node.type}/${String(node.externalId)}` : undefined;
  };
  const keys = (name: string): ReadonlySet<string> => new Set(rows.flatMap((row) => keyIn(name, row) ?? []));
  const edges = (name: string, of: ReadonlyMap<WorldEdge, EdgeState>): ReadonlySet<EdgeState> =>
    new Set(
      rows.flatMap((row) => {
        const edge = row.get(name) ?? null;
        return isEdge(edge) ? (of.get(edge) ?? []) : [];
      }),
    );

  const setOn = ({ properties }: NodeState, sets: readonly PropertySet[]): void => {
    for (const { name, value: from, external, metadata } of sets) {
      const property = properties.get(name) ?? { metadata: new Map<string, Stored>() };
      property.value = from === undefined ? undefined : (value(from) ?? undefined);
      property.external = from === undefined ? external : undefined;
      for (const each of metadata) {
        const described = value(each.value);
        if (described !== null) property.metadata.set(each.key, described);
      }
      properties.set(name, property);
    }
  };
  const upsertNode = (entry: NodeUpsertSpec): void => {
    for (const key of keys(entry.name)) {
      if (!after.nodes.has(key) && entry.kind === "new")
        after.nodes.set(key, { labels: new Set(), identity: false, properties: new Map() });
      const node = after.nodes.get(key);
      if (node === undefined) continue;
      if (entry.kind === "new")
        for (const label of entry.labels)
          if (label === "Identity" || label === "DigitalTwin") node.identity = true;
          else node.labels.add(label);
      setOn(node, entry.properties);
    }
  };
  /** What a new relationship is called in a row, by both ends. */
  const madeEdges = new Map<string, EdgeState>();
  const pair = (name: string, source: string, target: string): string =>
    JSON.stringify([name, source, target]);
  const setOnEdge = (edge: EdgeState, sets: readonly PropertySet[]): void => {
    for (const { name, value: from } of sets) {
      const set = from === undefined ? null : value(from);
      if (set !== null) edge.properties.set(name, set);
    }
  };
  const upsertEdge = (entry: EdgeUpsertSpec): void => {
    if (entry.kind === "existing") {
      for (const edge of edges(entry.name, areEdges)) setOnEdge(edge, entry.properties);
      return;
    }
    for (const row of rows) {
      const [source, target] = [keyIn(entry.source, row), keyIn(entry.target, row)];
      if (source === undefined || target === undefined) continue;
      let edge = [...after.edges].find(
        (each) => each.type === entry.type && each.source === source && each.target === target,
      );
      if (edge === undefined) {
        edge = { source, type: entry.type, target, properties: new Map() };
        after.edges.add(edge);
      }
      setOnEdge(edge, entry.properties);
      madeEdges.set(pair(entry.name, source, target), edge);
    }
  };

  spec.upsertNodes.forEach(upsertNode);
  spec.upsertEdges.forEach(upsertEdge);

  const shown = (row: Bound, each: ProjectionSpec): readonly [string, string] => {
    if (each.kind === "value") return [each.alias, textOf(row.get(each.alias) ?? null)];
    if (each.kind === "node") {
      const path = `${each.alias}.${stepText(each.step).replaceAll("`", "")}`;
      const key = keyIn(each.alias, row);
      const node = key === undefined ? undefined : after.nodes.get(key);
      if (key === undefined || node === undefined) return [path, "null"];
      const { step } = each;
      const read = (): Value => {
        switch (step.to) {
          case "system":
            return step.name === "type" ? key.slice(0, key.indexOf("/")) : key.slice(key.indexOf("/") + 1);
          case "property":
            return node.properties.get(step.name)?.value ?? null;
          case "metadata":
            return node.properties.get(step.name)?.metadata.get(step.key) ?? null;
          case "trust":
            return null;
        }
      };
      return [path, textOf(read())];
    }
    const path = `${each.alias}.${each.name}`;
    const bound = row.get(each.alias) ?? null;
    const entry = spec.upsertEdges.find(({ name }) => name === each.alias);
    const edge = isEdge(bound)
      ? areEdges.get(bound)
      : entry?.kind === "new"
        ? madeEdges.get(pair(entry.name, keyIn(entry.source, row) ?? "", keyIn(entry.target, row) ?? ""))
        : undefined;
    if (edge === undefined) return [path, "null"];
    return [path, textOf(each.name === "type" ? edge.type : (edge.properties.get(each.name) ?? null))];
  };
  const projections = [...spec.base.projections, ...spec.shown];
  const texts = rows.map((row) => rowText(projections.map((each) => shown(row, each))));

  const deleteOfEdge = ({ alias, what }: DeleteSpec): void => {
    for (const edge of edges(alias, areEdges))
      if (what === "element") after.edges.delete(edge);
      else if (what === "all") edge.properties.clear();
      else edge.properties.delete(what.property);
  };
  const deleteOfNode = ({ alias, what }: DeleteSpec): void => {
    for (const key of keys(alias)) {
      const node = after.nodes.get(key);
      if (node === undefined) continue;
      if (what === "element") {
        after.nodes.delete(key);
        for (const edge of [...after.edges])
          if (edge.source === key || edge.target === key) after.edges.delete(edge);
      } else if (what === "all") node.properties.clear();
      else if (what.key === undefined) node.properties.delete(what.property);
      else node.properties.get(what.property)?.metadata.delete(what.key);
    }
  };
  const whole = ({ what }: DeleteSpec): boolean => what === "element";
  spec.deleteEdges.filter((each) => !whole(each)).forEach(deleteOfEdge);
  spec.deleteEdges.filter(whole).forEach(deleteOfEdge);
  spec.deleteNodes.filter((each) => !whole(each)).forEach(deleteOfNode);
  spec.deleteNodes.filter(whole).forEach(deleteOfNode);

  return {
    rows: texts,
    before,
    after,
    nodes: new Map(names.map((name) => [name, keys(name)])),
    edges: new Map(names.map((name) => [name, edges(name, wereEdges)])),
  };
};

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "bigint" ? Number(value) : value;
};

/** A graph as lines of text, the same for the same graph. What holds nothing at all is not a property. */
export const graphLines = ({ nodes, edges }: GraphState): readonly string[] =>
  [
    ...[...nodes].flatMap(([key, { labels, identity, properties }]) => [
      `${key} labels ${[...labels].toSorted().join(",")} identity ${identity}`,
      ...[...properties].flatMap(([name, { value, external, metadata }]) => [
        ...(value === undefined ? [] : [`${key} ${name} = ${JSON.stringify(plain(value))}`]),
        ...(external === undefined ? [] : [`${key} ${name} from ${external}`]),
        ...[...metadata].map(([name2, of]) => `${key} ${name} ${name2} = ${JSON.stringify(plain(of))}`),
      ]),
    ]),
    ...[...edges].map(
      ({ source, type, target, properties }) =>
        `${source} ${type} ${target} ${JSON.stringify([...properties].map(([name, value]) => [name, plain(value)]).toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))}`,
    ),
  ].toSorted();

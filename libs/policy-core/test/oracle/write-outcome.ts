import { isJsonObject } from "@ikg/contracts/values";
import { stepText } from "./author.ts";
import type { GraphSpec, InputsSpec, Stored } from "./model.ts";
import { readRows } from "./outcome.ts";
import type { ProjectionSpec } from "./policy.ts";
import { isEdge, isList, isNode, show, unordered, type Value, type WorldEdge } from "./values.ts";
import { keyOf, type World, worldOf } from "./world.ts";
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

/** A projected value as text; lists lose their order, because collected ones have none. */
const textOf = (value: Value): string => {
  if (isList(value)) return unordered(value.map(textOf));
  if (isNode(value)) return `node ${value.type}/${show(value.externalId)}`;
  if (isEdge(value)) return `edge ${show(value.properties.get("w") ?? null)}`;
  return JSON.stringify(typeof value === "bigint" ? Number(value) : value);
};

/** The same of a value of an answer, where nodes and relationships are whole objects. */
export const answeredText = (value: unknown): string => {
  if (Array.isArray(value)) return unordered(value.map(answeredText));
  if (isJsonObject(value) && isJsonObject(value["Props"])) {
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
      .flatMap((part: unknown) => (isJsonObject(part) ? Object.entries(part) : []))
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

type EdgesOfWorld = ReadonlyMap<WorldEdge, EdgeState>;

/** The relationships of a state; the world lists its relationships as the graph does. */
const edgesIn = (state: { readonly listed: readonly EdgeState[] }, world: World): EdgesOfWorld =>
  new Map(
    world.edges.flatMap((edge, index) => {
      const found = state.listed[index];
      return found === undefined ? [] : [[edge, found]];
    }),
  );

const pair = (name: string, source: string, target: string): string => JSON.stringify([name, source, target]);

const isWhole = ({ what }: DeleteSpec): boolean => what === "element";

/** A writing query that runs on a graph of its own. */
class Execution {
  readonly #spec: WriteSpec;
  readonly #given: InputsSpec;
  readonly #names: readonly string[];
  readonly #rows: readonly Bound[];
  readonly #before: ReturnType<typeof stateOf>;
  readonly #after: ReturnType<typeof stateOf>;
  /** Relationships of the world before and after. */
  readonly #oldEdges: EdgesOfWorld;
  readonly #newEdges: EdgesOfWorld;
  /** Keys of new nodes by name. */
  readonly #madeNodes: ReadonlyMap<string, string>;
  /** New relationships by name and both ends. */
  readonly #madeEdges = new Map<string, EdgeState>();

  constructor(spec: WriteSpec, graph: GraphSpec, given: InputsSpec) {
    const world = worldOf(graph);
    this.#spec = spec;
    this.#given = given;
    this.#names = namesOf(spec);
    const projections = this.#names.map((alias) => ({ kind: "value" as const, alias }));
    this.#rows = readRows({ ...spec.base, projections }, world, given).map(
      (row) => new Map(this.#names.map((name, index) => [name, row[index] ?? null])),
    );
    this.#before = stateOf(graph);
    this.#after = stateOf(graph);
    this.#oldEdges = edgesIn(this.#before, world);
    this.#newEdges = edgesIn(this.#after, world);
    this.#madeNodes = new Map(
      spec.upsertNodes.flatMap((entry) =>
        entry.kind === "new" && this.#rows.length > 0
          ? [[entry.name, `${entry.type}/${String(this.#value(entry.externalId))}`] as const]
          : [],
      ),
    );
  }

  outcome(): WriteOutcome {
    for (const entry of this.#spec.upsertNodes) this.#upsertNode(entry);
    for (const entry of this.#spec.upsertEdges) this.#upsertEdge(entry);
    const projections = [...this.#spec.base.projections, ...this.#spec.shown];
    const rows = this.#rows.map((row) => rowText(projections.map((each) => this.#shown(row, each))));
    this.#delete();
    return {
      rows,
      before: this.#before,
      after: this.#after,
      nodes: new Map(this.#names.map((name) => [name, this.#keys(name)])),
      edges: new Map(this.#names.map((name) => [name, this.#edges(name, this.#oldEdges)])),
    };
  }

  #value(from: Parameters<typeof givenValue>[0]): Stored | null {
    return givenValue(from, this.#given.params, this.#given.token);
  }

  #keyIn(name: string, row: Bound): string | undefined {
    const key = this.#madeNodes.get(name);
    if (key !== undefined) return key;
    const node = row.get(name) ?? null;
    return isNode(node) ? `${node.type}/${String(node.externalId)}` : undefined;
  }

  #keys(name: string): ReadonlySet<string> {
    return new Set(this.#rows.flatMap((row) => this.#keyIn(name, row) ?? []));
  }

  #edges(name: string, of: EdgesOfWorld): ReadonlySet<EdgeState> {
    return new Set(
      this.#rows.flatMap((row) => {
        const edge = row.get(name) ?? null;
        return isEdge(edge) ? (of.get(edge) ?? []) : [];
      }),
    );
  }

  #upsertNode(entry: NodeUpsertSpec): void {
    const { nodes } = this.#after;
    for (const key of this.#keys(entry.name)) {
      if (!nodes.has(key) && entry.kind === "new")
        nodes.set(key, { labels: new Set(), identity: false, properties: new Map() });
      const node = nodes.get(key);
      if (node === undefined) continue;
      if (entry.kind === "new")
        for (const label of entry.labels)
          if (label === "Identity" || label === "DigitalTwin") node.identity = true;
          else node.labels.add(label);
      this.#setOnNode(node, entry.properties);
    }
  }

  #setOnNode({ properties }: NodeState, sets: readonly PropertySet[]): void {
    for (const { name, value: from, external, metadata } of sets) {
      const property = properties.get(name) ?? { metadata: new Map<string, Stored>() };
      property.value = from === undefined ? undefined : (this.#value(from) ?? undefined);
      property.external = from === undefined ? external : undefined;
      for (const each of metadata) {
        const described = this.#value(each.value);
        if (described !== null) property.metadata.set(each.key, described);
      }
      properties.set(name, property);
    }
  }

  #upsertEdge(entry: EdgeUpsertSpec): void {
    if (entry.kind === "existing") {
      for (const edge of this.#edges(entry.name, this.#newEdges)) this.#setOnEdge(edge, entry.properties);
      return;
    }
    for (const row of this.#rows) {
      const [source, target] = [this.#keyIn(entry.source, row), this.#keyIn(entry.target, row)];
      if (source === undefined || target === undefined) continue;
      const edge = this.#edgeBetween(source, entry.type, target);
      this.#setOnEdge(edge, entry.properties);
      this.#madeEdges.set(pair(entry.name, source, target), edge);
    }
  }

  /** The one relationship of the type between two nodes, made where there is none. */
  #edgeBetween(source: string, type: string, target: string): EdgeState {
    const { edges } = this.#after;
    const found = [...edges].find(
      (each) => each.type === type && each.source === source && each.target === target,
    );
    if (found !== undefined) return found;
    const made: EdgeState = { source, type, target, properties: new Map() };
    edges.add(made);
    return made;
  }

  #setOnEdge(edge: EdgeState, sets: readonly PropertySet[]): void {
    for (const { name, value: from } of sets) {
      const set = from === undefined ? null : this.#value(from);
      if (set !== null) edge.properties.set(name, set);
    }
  }

  /** The path and the text of a projected value. */
  #shown(row: Bound, each: ProjectionSpec): readonly [string, string] {
    switch (each.kind) {
      case "value":
        return [each.alias, textOf(row.get(each.alias) ?? null)];
      case "node":
        return this.#shownOfNode(row, each);
      case "edge": {
        const edge = this.#shownEdge(row, each.alias);
        const value = each.name === "type" ? edge?.type : edge?.properties.get(each.name);
        return [`${each.alias}.${each.name}`, textOf(value ?? null)];
      }
    }
  }

  #shownOfNode(
    row: Bound,
    { alias, step }: Extract<ProjectionSpec, { kind: "node" }>,
  ): readonly [string, string] {
    const path = `${alias}.${stepText(step).replaceAll("`", "")}`;
    const key = this.#keyIn(alias, row);
    const node = key === undefined ? undefined : this.#after.nodes.get(key);
    if (key === undefined || node === undefined) return [path, "null"];
    switch (step.to) {
      case "system": {
        const slash = key.indexOf("/");
        return [path, textOf(step.name === "type" ? key.slice(0, slash) : key.slice(slash + 1))];
      }
      case "property":
        return [path, textOf(node.properties.get(step.name)?.value ?? null)];
      case "metadata":
        return [path, textOf(node.properties.get(step.name)?.metadata.get(step.key) ?? null)];
      case "trust":
        return [path, "null"];
    }
  }

  #shownEdge(row: Bound, alias: string): EdgeState | undefined {
    const bound = row.get(alias) ?? null;
    if (isEdge(bound)) return this.#newEdges.get(bound);
    const entry = this.#spec.upsertEdges.find(({ name }) => name === alias);
    if (entry?.kind !== "new") return undefined;
    const [source, target] = [this.#keyIn(entry.source, row), this.#keyIn(entry.target, row)];
    return this.#madeEdges.get(pair(entry.name, source ?? "", target ?? ""));
  }

  /** Deletes in the order of the statements: relationships first, and parts before whole elements. */
  #delete(): void {
    const { deleteEdges, deleteNodes } = this.#spec;
    const partsFirst = (deletes: readonly DeleteSpec[]): readonly DeleteSpec[] => [
      ...deletes.filter((each) => !isWhole(each)),
      ...deletes.filter(isWhole),
    ];
    for (const each of partsFirst(deleteEdges)) this.#deleteOfEdge(each);
    for (const each of partsFirst(deleteNodes)) this.#deleteOfNode(each);
  }

  #deleteOfEdge({ alias, what }: DeleteSpec): void {
    for (const edge of this.#edges(alias, this.#newEdges))
      if (what === "element") this.#after.edges.delete(edge);
      else if (what === "all") edge.properties.clear();
      else edge.properties.delete(what.property);
  }

  #deleteOfNode({ alias, what }: DeleteSpec): void {
    const { nodes, edges } = this.#after;
    for (const key of this.#keys(alias)) {
      const node = nodes.get(key);
      if (node === undefined) continue;
      if (what === "element") {
        nodes.delete(key);
        for (const edge of [...edges]) if (edge.source === key || edge.target === key) edges.delete(edge);
      } else if (what === "all") node.properties.clear();
      else if (what.key === undefined) node.properties.delete(what.property);
      else node.properties.get(what.property)?.metadata.delete(what.key);
    }
  }
}

/** Runs a writing query on a graph of its own. */
export const writeOutcome = (spec: WriteSpec, graph: GraphSpec, given: InputsSpec): WriteOutcome =>
  new Execution(spec, graph, given).outcome();

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

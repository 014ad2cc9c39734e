import type { EdgeState, GraphState, NodeState, PropertyState, WriteOutcome } from "./write-outcome.ts";
import type { ListsSpec } from "./write-spec.ts";

/** A relationship by its type and its ends. */
const tieOf = ({ source, type, target }: EdgeState): string => JSON.stringify([source, type, target]);

const typeOf = (key: string): string => key.slice(0, key.indexOf("/"));

const byTie = (graph: GraphState): ReadonlyMap<string, EdgeState> =>
  new Map([...graph.edges].map((edge) => [tieOf(edge), edge]));

/** Whether `alias.tail` is one of the tails; false for an alias alone. */
const hasTail = (path: string, tails: readonly string[]): boolean => {
  const dot = path.indexOf(".");
  return dot !== -1 && tails.includes(path.slice(dot + 1));
};

const aliasOf = (path: string): string => path.split(".")[0] ?? path;

const isWhole = (path: string): boolean => !path.includes(".");

/** What the allow-lists of a policy permit for the elements that the rows of an execution bound. */
class Permissions {
  readonly #lists: ListsSpec;
  readonly #bound: Pick<WriteOutcome, "nodes" | "edges">;
  readonly #graphs: readonly GraphState[];

  constructor(lists: ListsSpec, bound: Pick<WriteOutcome, "nodes" | "edges">, graphs: readonly GraphState[]) {
    this.#lists = lists;
    this.#bound = bound;
    this.#graphs = graphs;
  }

  mayMakeNode(key: string): boolean {
    return this.#lists.nodeTypes.includes(typeOf(key));
  }

  maySetOnNode(key: string): boolean {
    return this.mayMakeNode(key) || this.#lists.existingNodes.some((alias) => this.#isNode(alias, key));
  }

  mayRemoveFromNode(key: string, ...tails: readonly string[]): boolean {
    return this.#lists.deleteNodes.some(
      (path) => hasTail(path, ["*", ...tails]) && this.#isNode(aliasOf(path), key),
    );
  }

  mayDeleteNode(key: string): boolean {
    return this.#lists.deleteNodes.some((path) => isWhole(path) && this.#isNode(path, key));
  }

  mayMakeEdge({ source, type, target }: EdgeState): boolean {
    return this.#lists.triples.some(
      ([of, from, to]) => of === type && this.#hasLabel(source, from) && this.#hasLabel(target, to),
    );
  }

  maySetOnEdge(tie: string): boolean {
    return this.#lists.existingEdges.some((alias) => this.#isEdge(alias, tie));
  }

  mayRemoveFromEdge(tie: string, property: string): boolean {
    return this.#lists.deleteEdges.some(
      (path) => hasTail(path, ["*", property]) && this.#isEdge(aliasOf(path), tie),
    );
  }

  mayDeleteEdge(tie: string): boolean {
    return this.#lists.deleteEdges.some((path) => isWhole(path) && this.#isEdge(path, tie));
  }

  #isNode(alias: string, key: string): boolean {
    return this.#bound.nodes.get(alias)?.has(key) === true;
  }

  #isEdge(alias: string, tie: string): boolean {
    return [...(this.#bound.edges.get(alias) ?? [])].some((edge) => tieOf(edge) === tie);
  }

  #hasLabel(key: string, label: string): boolean {
    return (
      typeOf(key) === label || this.#graphs.some((graph) => graph.nodes.get(key)?.labels.has(label) === true)
    );
  }
}

const stateText = (state: PropertyState | undefined): string =>
  JSON.stringify([state?.value, state?.external], (_, each: unknown) =>
    typeof each === "bigint" ? Number(each) : each,
  );

/** Changes of one property of a node, and of its metadata, beyond what is permitted. */
const propertyFaults = (
  key: string,
  name: string,
  [old, now]: readonly [PropertyState | undefined, PropertyState | undefined],
  permissions: Permissions,
): readonly string[] => {
  if (permissions.maySetOnNode(key)) return [];
  const isGone = now?.value === undefined && now?.external === undefined;
  const mayChange = isGone && permissions.mayRemoveFromNode(key, `property.${name}`);
  const own = stateText(old) !== stateText(now) && !mayChange ? [`${key}: ${name}`] : [];
  const metadata = [...new Set([...(old?.metadata.keys() ?? []), ...(now?.metadata.keys() ?? [])])];
  return [
    ...own,
    ...metadata.flatMap((part) => {
      const [had, has] = [old?.metadata.get(part), now?.metadata.get(part)];
      if (String(had) === String(has)) return [];
      const tails = [`property.${name}`, `property.${name}.metadata.${part}`];
      return has === undefined && permissions.mayRemoveFromNode(key, ...tails)
        ? []
        : [`${key}: ${name} ${part}`];
    }),
  ];
};

const changedNodeFaults = (
  key: string,
  was: NodeState,
  is: NodeState,
  permissions: Permissions,
): readonly string[] => {
  const same = [...was.labels].toSorted().join() === [...is.labels].toSorted().join();
  const relabelled = !same || was.identity !== is.identity;
  const names = [...new Set([...was.properties.keys(), ...is.properties.keys()])];
  return [
    ...(relabelled && !permissions.mayMakeNode(key) ? [`${key}: labels`] : []),
    ...names.flatMap((name) =>
      propertyFaults(key, name, [was.properties.get(name), is.properties.get(name)], permissions),
    ),
  ];
};

const nodeFaults = (before: GraphState, after: GraphState, permissions: Permissions): readonly string[] => [
  ...[...after.nodes].flatMap(([key, is]) => {
    const was = before.nodes.get(key);
    if (was !== undefined) return changedNodeFaults(key, was, is, permissions);
    return permissions.mayMakeNode(key) ? [] : [`${key} was made`];
  }),
  ...[...before.nodes.keys()].flatMap((key) =>
    after.nodes.has(key) || permissions.mayDeleteNode(key) ? [] : [`${key} was deleted`],
  ),
];

const changedEdgeFaults = (
  tie: string,
  was: EdgeState,
  is: EdgeState,
  permissions: Permissions,
): readonly string[] => {
  if (permissions.mayMakeEdge(is) || permissions.maySetOnEdge(tie)) return [];
  return [...new Set([...was.properties.keys(), ...is.properties.keys()])].flatMap((property) => {
    const same = String(was.properties.get(property)) === String(is.properties.get(property));
    const removed = !is.properties.has(property) && permissions.mayRemoveFromEdge(tie, property);
    return same || removed ? [] : [`${tie}: ${property}`];
  });
};

const edgeFaults = (before: GraphState, after: GraphState, permissions: Permissions): readonly string[] => {
  const [were, are] = [byTie(before), byTie(after)];
  return [
    ...(are.size === after.edges.size ? [] : ["two relationships of one type between two nodes"]),
    ...[...are].flatMap(([tie, edge]) => {
      const was = were.get(tie);
      if (was !== undefined) return changedEdgeFaults(tie, was, edge, permissions);
      return permissions.mayMakeEdge(edge) ? [] : [`${tie} was made`];
    }),
    ...[...were].flatMap(([tie, { source, target }]) => {
      // The relationships of a deleted node are deleted with it.
      const isLeft = are.has(tie) || !after.nodes.has(source) || !after.nodes.has(target);
      return isLeft || permissions.mayDeleteEdge(tie) ? [] : [`${tie} was deleted`];
    }),
  ];
};

/** What an execution changed beyond the allow-lists of its policy. */
export const beyondLists = (
  lists: ListsSpec,
  bound: Pick<WriteOutcome, "nodes" | "edges">,
  before: GraphState,
  after: GraphState,
): readonly string[] => {
  const permissions = new Permissions(lists, bound, [before, after]);
  return [...nodeFaults(before, after, permissions), ...edgeFaults(before, after, permissions)];
};

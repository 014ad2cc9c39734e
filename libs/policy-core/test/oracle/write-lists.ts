import type { EdgeState, GraphState, NodeState, WriteOutcome } from "./write-outcome.ts";
import type { ListsSpec } from "./write-spec.ts";

/** What a policy lets change, for the elements that the rows of an execution bound. */
export const beyondLists = (
  lists: ListsSpec,
  { nodes, edges }: Pick<WriteOutcome, "nodes" | "edges">,
  before: GraphState,
  after: GraphState,
): readonly string[] => {
  const faults: string[] = [];
  const typeOf = (key: string): string => key.slice(0, key.indexOf("/"));
  const bound = (alias: string, key: string): boolean => nodes.get(alias)?.has(key) === true;
  const tie = ({ source, type, target }: EdgeState): string => JSON.stringify([source, type, target]);
  const boundTies = (alias: string): ReadonlySet<string> => new Set([...(edges.get(alias) ?? [])].map(tie));
  const mayMake = (key: string): boolean => lists.nodeTypes.includes(typeOf(key));
  const maySet = (key: string): boolean =>
    mayMake(key) || lists.existingNodes.some((alias) => bound(alias, key));
  const mayRemove = (key: string, ...tails: readonly string[]): boolean =>
    lists.deleteNodes.some((path) => {
      const dot = path.indexOf(".");
      if (dot === -1) return false;
      return bound(path.slice(0, dot), key) && ["*", ...tails].includes(path.slice(dot + 1));
    });
  const mayDelete = (key: string): boolean =>
    lists.deleteNodes.some((path) => !path.includes(".") && bound(path, key));
  const hasLabel = (key: string, label: string): boolean =>
    typeOf(key) === label ||
    [before, after].some((graph) => graph.nodes.get(key)?.labels.has(label) === true);
  const mayTie = ({ source, type, target }: EdgeState): boolean =>
    lists.triples.some(([of, from, to]) => of === type && hasLabel(source, from) && hasLabel(target, to));
  const mayOnEdge = (edge: EdgeState, property: string): boolean =>
    lists.deleteEdges.some((path) => {
      const dot = path.indexOf(".");
      return (
        dot !== -1 &&
        boundTies(path.slice(0, dot)).has(tie(edge)) &&
        ["*", property].includes(path.slice(dot + 1))
      );
    });

  const compareNode = (key: string, was: NodeState, is: NodeState): void => {
    const same = [...was.labels].toSorted().join() === [...is.labels].toSorted().join();
    if ((!same || was.identity !== is.identity) && !mayMake(key)) faults.push(`${key}: labels`);
    for (const name of new Set([...was.properties.keys(), ...is.properties.keys()])) {
      const [old, now] = [was.properties.get(name), is.properties.get(name)];
      const text = (state: typeof old): string =>
        JSON.stringify([state?.value, state?.external], (_, each: unknown) =>
          typeof each === "bigint" ? Number(each) : each,
        );
      const isGone = now?.value === undefined && now?.external === undefined;
      if (text(old) !== text(now) && !maySet(key) && !(isGone && mayRemove(key, `property.${name}`)))
        faults.push(`${key}: ${name}`);
      for (const part of new Set([...(old?.metadata.keys() ?? []), ...(now?.metadata.keys() ?? [])])) {
        const [had, has] = [old?.metadata.get(part), now?.metadata.get(part)];
        if (String(had) === String(has) || maySet(key)) continue;
        const tails = [`property.${name}`, `property.${name}.metadata.${part}`];
        if (has !== undefined || !mayRemove(key, ...tails)) faults.push(`${key}: ${name} ${part}`);
      }
    }
  };
  for (const [key, is] of after.nodes) {
    const was = before.nodes.get(key);
    if (was !== undefined) compareNode(key, was, is);
    else if (!mayMake(key)) faults.push(`${key} was made`);
  }
  for (const key of before.nodes.keys())
    if (!after.nodes.has(key) && !mayDelete(key)) faults.push(`${key} was deleted`);

  const byTie = (graph: GraphState): ReadonlyMap<string, EdgeState> =>
    new Map([...graph.edges].map((edge) => [tie(edge), edge]));
  const [were, are] = [byTie(before), byTie(after)];
  if (are.size !== after.edges.size) faults.push("two relationships of one type between two nodes");
  for (const [name, edge] of are) {
    const was = were.get(name);
    if (was === undefined && !mayTie(edge)) faults.push(`${name} was made`);
    if (was === undefined || mayTie(edge)) continue;
    if (lists.existingEdges.some((alias) => boundTies(alias).has(name))) continue;
    for (const property of new Set([...was.properties.keys(), ...edge.properties.keys()]))
      if (
        String(was.properties.get(property)) !== String(edge.properties.get(property)) &&
        (edge.properties.has(property) || !mayOnEdge(edge, property))
      )
        faults.push(`${name}: ${property}`);
  }
  for (const [name, { source, target }] of were)
    if (
      !are.has(name) &&
      !lists.deleteEdges.some((path) => !path.includes(".") && boundTies(path).has(name)) &&
      after.nodes.has(source) &&
      after.nodes.has(target)
    )
      faults.push(`${name} was deleted`);
  return faults;
};

/** A patch of kustomize as it is applied: maps are merged, lists by the names of their items, everything else is replaced. */
import { isTree, type Node, type Tree } from "./template.ts";

/** @returns undefined for a list whose items have no names */
const byName = (nodes: readonly Node[]): ReadonlyMap<string, Tree> | undefined => {
  const trees = nodes.filter(isTree);
  const names = trees.map(({ name }) => name).filter((name) => typeof name === "string");
  return names.length === nodes.length ? new Map(names.map((name, n) => [name, trees[n] ?? {}])) : undefined;
};

const mergeLists = (base: readonly Node[], patch: readonly Node[]): readonly Node[] => {
  const [old, next] = [byName(base), byName(patch)];
  if (old === undefined || next === undefined) return patch;
  const added = [...next].filter(([name]) => !old.has(name)).map(([, node]) => node);
  return [...[...old].map(([name, node]) => strategicMerge(node, next.get(name) ?? {})), ...added];
};

export const strategicMerge = (base: Tree, patch: Tree): Tree => {
  const merged: Record<string, Node> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    const old = base[key];
    if (old !== undefined && isTree(old) && isTree(value)) merged[key] = strategicMerge(old, value);
    else if (Array.isArray(old) && Array.isArray(value)) merged[key] = mergeLists(old, value);
    else merged[key] = value;
  }
  return merged;
};

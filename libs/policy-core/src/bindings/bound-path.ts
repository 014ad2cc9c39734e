import type { Faults } from "../json.ts";
import {
  aliasOf,
  isFault,
  type NodePath,
  readNodePath,
  readRelationshipPath,
  type RelationshipPath,
} from "../paths/path.ts";
import type { Binding } from "./kind.ts";

export type Bindings = ReadonlyMap<string, Binding>;

const isHops = (binding: Binding): boolean =>
  binding.kind.kind === "list" && binding.kind.of.kind === "relationship";

/** Looks an alias up; what an entry names must be bound after the whole pattern, and be of the fitting kind. */
const boundAs = (
  alias: string,
  kind: "node" | "relationship",
  path: string,
  bindings: Bindings,
  faults: Faults,
): Binding | undefined => {
  const binding = bindings.get(alias);
  if (binding === undefined) faults.add(path, `"${alias.slice(0, 64)}" is not bound after the pattern`);
  else if (binding.kind.kind !== kind && !(kind === "relationship" && isHops(binding))) {
    faults.add(path, `"${alias}" is not a ${kind}`);
  } else return binding;
  return undefined;
};

/** The same for what is written or deleted: one relationship, not the hops of a variable length. */
export const boundAsOne = (
  alias: string,
  kind: "node" | "relationship",
  path: string,
  bindings: Bindings,
  faults: Faults,
): Binding | undefined => {
  const binding = boundAs(alias, kind, path, bindings, faults);
  if (binding === undefined || !isHops(binding)) return binding;
  faults.add(path, `"${alias}" is a path of several hops, which can only be read`);
  return undefined;
};

/** A node path whose alias is bound as a node. */
export const resolveNodePath = (
  text: string,
  at: string,
  bindings: Bindings,
  faults: Faults,
): NodePath | undefined => {
  if (boundAs(aliasOf(text), "node", at, bindings, faults) === undefined) return undefined;
  const found = readNodePath(text);
  if (!isFault(found)) return found;
  faults.add(at, found.fault);
  return undefined;
};

/** A relationship path; an alias of a variable-length relationship is only readable whole. */
export const resolveRelationshipPath = (
  text: string,
  at: string,
  bindings: Bindings,
  faults: Faults,
): RelationshipPath | undefined => {
  const binding = boundAs(aliasOf(text), "relationship", at, bindings, faults);
  if (binding === undefined) return undefined;
  const found = readRelationshipPath(text);
  if (isFault(found)) faults.add(at, found.fault);
  else if (binding.kind.kind === "list" && found.kind === "property") {
    faults.add(at, "a path of several hops has no properties of its own");
  } else return found;
  return undefined;
};

/** Resolves each text of a list; what is at fault is left out. */
const resolveEach =
  <Path>(resolve: (text: string, at: string, bindings: Bindings, faults: Faults) => Path | undefined) =>
  (texts: readonly string[], path: string, bindings: Bindings, faults: Faults): readonly Path[] =>
    texts.flatMap((text, index) => resolve(text, `${path}[${index}]`, bindings, faults) ?? []);

/** Node paths of a list. */
export const resolveNodePaths = resolveEach(resolveNodePath);

/** Relationship paths of a list. */
export const resolveRelationshipPaths = resolveEach(resolveRelationshipPath);

/** Names bound by AS that a list opens or a query asks for. */
export const resolveAggregates = (
  names: readonly string[],
  path: string,
  bindings: Bindings,
  faults: Faults,
): readonly string[] =>
  names.filter((name, index) => {
    const binding = bindings.get(name);
    if (binding !== undefined && !binding.isFromPattern) return true;
    faults.add(`${path}[${index}]`, `"${name.slice(0, 64)}" is not bound by AS after the pattern`);
    return false;
  });

import type { Faults } from "../checked.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import { linkOnlyFault, nodeDeleteFault, relationshipDeleteFault } from "../paths/protected.ts";
import {
  boundAsOne,
  resolveAggregates,
  resolveNodePath,
  resolveNodePaths,
  resolveRelationshipPath,
  resolveRelationshipPaths,
} from "../paths/resolve.ts";
import { typePattern } from "../shape.ts";
import { statedTypes, staticLabels } from "./alias-types.ts";
import { listPaths, type AllowLists, type ListName, type RawAllowLists } from "./allow-lists.ts";
import type { Condition } from "./condition.ts";

interface Resolver {
  readonly raw: RawAllowLists;
  readonly condition: Condition;
  readonly subjectType: string;
  readonly faults: Faults;
}

/** Nodes that queries change: never those of the platform, where the text says what they are. */
const checkWritableNode = (alias: string, at: string, resolver: Resolver): void => {
  const { condition, subjectType, faults } = resolver;
  const fault = linkOnlyFault(staticLabels(alias, condition.analysis, subjectType));
  if (fault !== undefined) faults.add(at, fault);
};

const checkWritableRelationship = (alias: string, at: string, { condition, faults }: Resolver): void => {
  const own = statedTypes(alias, condition.query).find((type) => type.startsWith("_"));
  if (own !== undefined) faults.add(at, `relationships of type ${own} cannot be changed`);
};

const resolveDeletes = (resolver: Resolver): AllowLists["deletes"] => {
  const { raw, condition, faults } = resolver;
  const { bindings } = condition.analysis;
  const nodes = raw.deleteNodes.flatMap((text, index) => {
    const at = `${listPaths.deleteNodes}[${index}]`;
    const path = resolveNodePath(text, at, bindings, faults);
    if (path === undefined) return [];
    const fault = nodeDeleteFault(path);
    if (fault !== undefined) faults.add(at, fault);
    checkWritableNode(path.alias, at, resolver);
    return [path];
  });
  const relationships = raw.deleteRelationships.flatMap((text, index) => {
    const at = `${listPaths.deleteRelationships}[${index}]`;
    const path = resolveRelationshipPath(text, at, bindings, faults);
    if (path === undefined) return [];
    const fault = relationshipDeleteFault(path);
    if (fault !== undefined) faults.add(at, fault);
    boundAsOne(path.alias, "relationship", at, bindings, faults);
    checkWritableRelationship(path.alias, at, resolver);
    return [path];
  });
  return { nodes, relationships };
};

const checkUpserts = (resolver: Resolver): void => {
  const { raw, condition, faults } = resolver;
  const { bindings } = condition.analysis;
  raw.existingNodes.forEach((alias, index) => {
    const at = `${listPaths.existingNodes}[${index}]`;
    if (boundAsOne(alias, "node", at, bindings, faults) !== undefined) checkWritableNode(alias, at, resolver);
  });
  raw.existingRelationships.forEach((alias, index) => {
    const at = `${listPaths.existingRelationships}[${index}]`;
    if (boundAsOne(alias, "relationship", at, bindings, faults) !== undefined)
      checkWritableRelationship(alias, at, resolver);
  });
  raw.nodeTypes.forEach((type, index) => {
    if (!typePattern.test(type) || type.startsWith("_")) {
      faults.add(`${listPaths.nodeTypes}[${index}]`, "a node type that does not start with _");
    }
  });
};

/** Looks every alias up and checks protected names: stages (d) to (f) of policies specification 1. */
export const resolveAllowLists = (
  raw: RawAllowLists,
  condition: Condition,
  subjectType: string,
  faults: Faults,
): AllowLists => {
  const resolver: Resolver = { raw, condition, subjectType, faults };
  const { bindings } = condition.analysis;
  const nodes = (name: ListName): readonly NodePath[] =>
    resolveNodePaths(raw[name], listPaths[name], bindings, faults);
  const relationships = (name: ListName): readonly RelationshipPath[] =>
    resolveRelationshipPaths(raw[name], listPaths[name], bindings, faults);
  const deletes = resolveDeletes(resolver);
  checkUpserts(resolver);
  return {
    reads: {
      nodes: nodes("readNodes"),
      relationships: relationships("readRelationships"),
      aggregates: resolveAggregates(raw.aggregates, listPaths.aggregates, bindings, faults),
    },
    upserts: {
      existingNodes: raw.existingNodes,
      nodeTypes: raw.nodeTypes,
      relationshipTypes: raw.relationshipTypes,
      existingRelationships: raw.existingRelationships,
    },
    deletes,
  };
};

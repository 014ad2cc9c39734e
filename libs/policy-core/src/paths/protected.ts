import { systemTypes } from "@ikg/physical";
import type { NodePath, RelationshipPath } from "./path.ts";

const protectedNames: ReadonlySet<string> = new Set([
  "_service",
  "create_time",
  "external_id",
  "id",
  "type",
  "update_time",
]);

/** True for names that no query writes or deletes on a node (policies specification 7.1). */
export const isProtectedOnNode = (name: string): boolean => protectedNames.has(name);

/** The same for relationships, where `external_id` is an ordinary name. */
export const isProtectedOnRelationship = (name: string): boolean =>
  name !== "external_id" && protectedNames.has(name);

const isSystemType = (type: string): boolean => (Object.values(systemTypes) as string[]).includes(type);

/** Why nodes of a type are neither written nor deleted by queries; undefined for types of callers. */
export const linkOnlyFault = (types: readonly string[]): string | undefined => {
  const type = types.find(isSystemType);
  return type === undefined ? undefined : `nodes of type ${type} can only be linked`;
};

/** Why a node path may not be deleted whatever the allow-lists say. */
export const nodeDeleteFault = (path: NodePath): string | undefined => {
  if (path.kind === "system" || ("name" in path && protectedNames.has(path.name)))
    return `${path.text} is protected`;
  return path.kind === "trust" || path.kind === "all-trust" ? "trust scores cannot be deleted" : undefined;
};

/** Why a relationship path may not be deleted whatever the allow-lists say. */
export const relationshipDeleteFault = (path: RelationshipPath): string | undefined =>
  path.kind === "property" && isProtectedOnRelationship(path.name) ? `${path.text} is protected` : undefined;

import { systemTypes } from "@ikg/physical";
import { namePattern } from "../json.ts";

/** System fields of a node that a path may name. */
const nodeSystemFields = ["external_id", "type", "id", "create_time", "update_time"] as const;
/** Scores of a `_TrustScore` node. */
export const trustScores = [
  "_final_score",
  "_validity",
  "_verification",
  "_freshness",
  "_origin",
  "_completeness",
] as const;

const mapSystemKeys: ReadonlySet<string> = new Set(["external_id", "type", "id"]);

/** True for a key of a node's inline map that means the node itself; any other key means the property of that name. */
export const isMapSystemKey = (key: string): boolean => mapSystemKeys.has(key);

type NodeSystemField = (typeof nodeSystemFields)[number];
export type TrustScore = (typeof trustScores)[number];

/** A path below a node alias. `text` is the path as its author wrote it. */
export type NodePath = { readonly alias: string; readonly text: string } & (
  | { readonly kind: "node" }
  | { readonly kind: "all" }
  | { readonly kind: "system"; readonly field: NodeSystemField }
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "all-properties" }
  | { readonly kind: "property-and-metadata"; readonly name: string }
  | { readonly kind: "metadata"; readonly name: string; readonly key: string }
  | { readonly kind: "all-metadata"; readonly name: string }
  | { readonly kind: "trust"; readonly score: TrustScore }
  | { readonly kind: "all-trust" }
);

const wildcardKinds: ReadonlySet<NodePath["kind"]> = new Set([
  "all",
  "all-properties",
  "property-and-metadata",
  "all-metadata",
  "all-trust",
]);

/** True for a path that names more than one value. */
export const isWildcard = ({ kind }: NodePath): boolean => wildcardKinds.has(kind);

/** A path below a relationship alias. */
export type RelationshipPath = { readonly alias: string; readonly text: string } & (
  | { readonly kind: "relationship" }
  | { readonly kind: "all" }
  | { readonly kind: "property"; readonly name: string }
);

/** What a path is about, as one text: an alias, a property of it, or a metadata key of that. Names hold no blanks. */
export const topicOf = (path: {
  readonly alias: string;
  readonly name?: string;
  readonly key?: string;
}): string => [path.alias, path.name, path.key].filter((each) => each !== undefined).join(" ");

/** The result of reading a path: the path, or why the text is not a path. */
type PathResult<P> = P | { readonly fault: string };

export const isFault = <P extends object>(result: PathResult<P>): result is { readonly fault: string } =>
  "fault" in result;

const oneOf = <T extends string>(list: readonly T[], text: string): text is T =>
  (list as readonly string[]).includes(text);

/** The alias of a path: the first segment, whatever its text. */
export const aliasOf = (text: string): string => {
  const dot = text.indexOf(".");
  return dot < 0 ? text : text.slice(0, dot);
};

const propertyTail = (
  base: { alias: string; text: string },
  tail: readonly string[],
): PathResult<NodePath> => {
  const [name, second, key] = tail;
  if (name === undefined) return { fault: "a property name must follow .property" };
  if (name === "*" && tail.length === 1) return { ...base, kind: "all-properties" };
  if (!namePattern.test(name)) return { fault: `"${name.slice(0, 64)}" is not a property name` };
  // `.value` is the long form of the value itself.
  if (tail.length === 1 || (tail.length === 2 && second === "value"))
    return { ...base, kind: "property", name };
  if (tail.length === 2 && second === "*") return { ...base, kind: "property-and-metadata", name };
  if (tail.length === 3 && second === "metadata" && key !== undefined) {
    if (key === "*") return { ...base, kind: "all-metadata", name };
    if (namePattern.test(key)) return { ...base, kind: "metadata", name, key };
  }
  return { fault: "after the property name only .value, .metadata.<key> or .* may follow" };
};

/** Reads a path whose alias is a node. */
export const readNodePath = (text: string): PathResult<NodePath> => {
  const [alias = "", ...tail] = text.split(".");
  const base = { alias, text };
  const [first, second] = tail;
  if (first === undefined) return { ...base, kind: "node" };
  if (first === "property") return propertyTail(base, tail.slice(1));
  if (tail.length === 1 && first === "*") return { ...base, kind: "all" };
  if (tail.length === 1 && oneOf(nodeSystemFields, first)) return { ...base, kind: "system", field: first };
  if (tail.length === 2 && first === "trust_score" && second !== undefined) {
    if (second === "*") return { ...base, kind: "all-trust" };
    if (oneOf(trustScores, second)) return { ...base, kind: "trust", score: second };
    return { fault: `trust scores are ${trustScores.join(", ")}` };
  }
  return namePattern.test(first)
    ? { fault: `unknown field of a node; a property is written ${alias}.property.${first}` }
    : { fault: "not a path" };
};

/** Reads a path whose alias is a relationship. */
export const readRelationshipPath = (text: string): PathResult<RelationshipPath> => {
  const [alias = "", ...tail] = text.split(".");
  const base = { alias, text };
  const [first] = tail;
  if (first === undefined) return { ...base, kind: "relationship" };
  if (tail.length === 1 && first === "*") return { ...base, kind: "all" };
  if (tail.length === 1 && namePattern.test(first)) return { ...base, kind: "property", name: first };
  return first === "property"
    ? { fault: `a relationship property is written ${alias}.${tail[1] ?? "<name>"}` }
    : { fault: "not a path of a relationship" };
};

const protectedNames: ReadonlySet<string> = new Set([
  "_service",
  "create_time",
  "external_id",
  "id",
  "type",
  "update_time",
]);

/** True for names that no query writes or deletes on a node. */
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

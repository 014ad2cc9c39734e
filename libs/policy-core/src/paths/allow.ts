import type { NodePath, RelationshipPath } from "./path.ts";

/** What an entry is about: an alias, and the property where it names one. */
const topicOf = (path: NodePath | RelationshipPath): string =>
  "name" in path ? `${path.alias} ${path.name}` : path.alias;

const topics = new WeakMap<object, ReadonlyMap<string, readonly unknown[]>>();

/**
 * The entries of a list that can cover a path: of the same alias and, where both name a property, of the same one. Lists
 * and queries may name thousands of paths each.
 */
const about = <P extends NodePath | RelationshipPath>(allowed: readonly P[], requested: P): readonly P[] => {
  let index = topics.get(allowed) as ReadonlyMap<string, readonly P[]> | undefined; // made of this list, below
  if (index === undefined) {
    const distinct = [...new Map(allowed.map((entry) => [entry.text, entry])).values()];
    index = Map.groupBy(distinct, topicOf);
    topics.set(allowed, index);
  }
  const ofAlias = index.get(requested.alias) ?? [];
  return "name" in requested ? [...ofAlias, ...(index.get(topicOf(requested)) ?? [])] : ofAlias;
};

/** Which requested paths an entry `about` them covers in `allowed_reads.nodes`. */
const nodeEntryCovers = (entry: NodePath, requested: NodePath): boolean => {
  switch (entry.kind) {
    case "all":
      return true;
    case "node":
      return requested.kind === "node" || requested.kind === "system";
    case "system":
      return requested.kind === "system" && requested.field === entry.field;
    case "property":
      return requested.kind === "property";
    case "all-properties":
      return ["property", "all-properties", "property-and-metadata", "metadata", "all-metadata"].includes(
        requested.kind,
      );
    case "property-and-metadata":
      return "name" in requested;
    case "metadata":
      return requested.kind === "metadata" && requested.key === entry.key;
    case "all-metadata":
      return requested.kind === "metadata" || requested.kind === "all-metadata";
    case "trust":
      return requested.kind === "trust" && requested.score === entry.score;
    case "all-trust":
      return requested.kind === "trust" || requested.kind === "all-trust";
  }
};

/** True when the list lets a query read the node path. */
export const mayReadNode = (allowed: readonly NodePath[], requested: NodePath): boolean =>
  about(allowed, requested).some((entry) => nodeEntryCovers(entry, requested));

/** True when the list lets a query read the relationship path; listing `r` opens its properties as well. */
export const mayReadRelationship = (
  allowed: readonly RelationshipPath[],
  requested: RelationshipPath,
): boolean =>
  about(allowed, requested).some((entry) => entry.kind !== "property" || requested.kind === "property");

/** True when the list lets a query delete what the path names; a delete never reaches upward. */
export const mayDeleteNode = (allowed: readonly NodePath[], requested: NodePath): boolean =>
  about(allowed, requested).some((entry) => {
    switch (requested.kind) {
      case "node":
      case "all":
        return entry.kind === requested.kind;
      case "property":
        return ["all", "all-properties", "property"].includes(entry.kind);
      case "metadata":
        return (
          ["all", "property", "property-and-metadata"].includes(entry.kind) ||
          (entry.kind === "metadata" && entry.key === requested.key)
        );
      default:
        return false;
    }
  });

/** The same for relationships. */
export const mayDeleteRelationship = (
  allowed: readonly RelationshipPath[],
  requested: RelationshipPath,
): boolean =>
  about(allowed, requested).some((entry) =>
    requested.kind === "property"
      ? entry.kind === "all" || entry.kind === "property"
      : entry.kind === requested.kind,
  );
